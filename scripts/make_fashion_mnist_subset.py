#!/usr/bin/env python
"""Makes source/multi_gpu/fashion-mnist-subset: the first images of each class, 200 to train and 50 to test."""

import gzip
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

FULL = Path("/usr/share/datasets/fashion-mnist")
SUBSET = Path(__file__).resolve().parent.parent / "source" / "multi_gpu" / "fashion-mnist-subset"
PER_CLASS = {"train": 200, "t10k": 50}


def make(
    full: Annotated[Path, typer.Argument(help="The folder of the full data.", exists=True, file_okay=False)] = FULL,
    subset: Annotated[Path, typer.Argument(help="The folder to write to.", file_okay=False)] = SUBSET,
) -> None:
    """Write the first images of each class, 200 to train and 50 to test; the same data give the same bytes."""
    for part, count in PER_CLASS.items():
        labels = np.frombuffer(_unpacked(full, f"{part}-labels-idx1-ubyte"), np.uint8, offset=8)
        images = np.frombuffer(_unpacked(full, f"{part}-images-idx3-ubyte"), np.uint8, offset=16).reshape(-1, 28, 28)
        chosen = np.sort(np.concatenate([np.flatnonzero(labels == label)[:count] for label in range(10)]))
        _pack(subset / f"{part}-labels-idx1-ubyte.gz", labels[chosen])
        _pack(subset / f"{part}-images-idx3-ubyte.gz", images[chosen])


def _unpacked(folder: Path, name: str) -> bytes:
    return gzip.decompress((folder / f"{name}.gz").read_bytes())


def _pack(path: Path, values: np.ndarray) -> None:
    head = bytes([0, 0, 8, values.ndim]) + np.array(values.shape, ">u4").tobytes()
    path.write_bytes(gzip.compress(head + values.tobytes(), mtime=0))


if __name__ == "__main__":
    typer.run(make)

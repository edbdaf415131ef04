"""Fashion-MNIST for this notebook: 10 kinds of clothes, gray pictures of 28 x 28 pixels.

The data are looked for in this order:

1. the folder that you name, by `root=` or by the environment variable FASHION_MNIST;
2. the folder of Debian's package `dataset-fashion-mnist`;
3. a small real part of the data, which comes with the notebook: 2,000 pictures to train, 500 to test.

While your work is graded, it is always the small part.  You need not read this file.
"""

import gzip
import os
from pathlib import Path

import numpy
import torch

DEBIAN = Path("/usr/share/datasets/fashion-mnist")
SUBSET = Path(__file__).resolve().parent / "fashion-mnist-subset"
# The files of a part: each may be there as it is, or packed.  Before the values come a mark and the sizes.
IMAGES, LABELS = "images-idx3-ubyte", "labels-idx1-ubyte"
MARKS = {IMAGES: b"\0\0\x08\x03", LABELS: b"\0\0\x08\x01"}


class DatasetError(Exception):
    """A file of Fashion-MNIST is missing or damaged. The message names it and says what to do."""


def load_data_fashion_mnist(batch_size, root=None):
    """Return (training batches, test batches). Each of them can be used in `for X, y in ...` again and again.

    X has the shape (n, 1, 28, 28), float32 from 0 to 1; y has the shape (n,), int64, and holds the kinds, 0 to 9.
    Both are on the host. n is batch_size, and less in the last batch if the pictures do not divide evenly.
    """
    folder = find_folder(root)
    return (
        Batches(read_file(folder, "train", IMAGES), read_file(folder, "train", LABELS), batch_size, shuffle=True),
        Batches(read_file(folder, "t10k", IMAGES), read_file(folder, "t10k", LABELS), batch_size, shuffle=False),
    )


class Batches:
    """Gives pictures batch by batch.

    `shuffle`: in another order each time. A `copy.copy` of it repeats the same orders, so give each rank a copy.
    """

    def __init__(self, images, labels, batch_size, shuffle):
        if len(images) != len(labels):
            raise DatasetError(f"há {len(images)} imagens, mas {len(labels)} rótulos. {WAY_OUT}")
        self.images, self.labels = images, labels
        self.batch_size, self.shuffle, self.epoch = batch_size, shuffle, 0

    def __len__(self):
        return -(-len(self.labels) // self.batch_size)  # rounded up

    def __iter__(self):
        self.epoch += 1
        order = numpy.arange(len(self.labels))
        if self.shuffle:
            numpy.random.default_rng(self.epoch).shuffle(order)
        for start in range(0, len(order), self.batch_size):
            rows = order[start : start + self.batch_size]
            X = torch.from_numpy(self.images[rows]).reshape(-1, 1, 28, 28) / 255
            yield X, torch.from_numpy(self.labels[rows]).long()


def find_folder(root=None):
    """Return the folder to read from."""
    if "NBGRADER_EXECUTION" in os.environ:
        return SUBSET
    named = root or os.environ.get("FASHION_MNIST")
    return Path(named).expanduser() if named else DEBIAN if DEBIAN.exists() else SUBSET


def read_file(folder, part, kind):
    """Return the images (n, 28, 28) or the labels (n,) of a part, as bytes (uint8)."""
    path = folder / f"{part}-{kind}"
    packed = path.with_name(f"{path.name}.gz")
    try:
        content = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    except (OSError, EOFError, gzip.zlib.error) as problem:
        raise DatasetError(f"O arquivo {path} (ou {packed.name}) não pode ser lido: {problem}. {WAY_OUT}") from None
    axes = MARKS[kind][3]
    sizes = numpy.frombuffer(content[4 : 4 + 4 * axes], dtype=">u4")
    values = numpy.frombuffer(content[4 + 4 * axes :], dtype="uint8")
    if content[:4] != MARKS[kind] or len(values) != numpy.prod(sizes, dtype="float64"):
        raise DatasetError(f"O arquivo {path} está danificado. {WAY_OUT}")
    return values.reshape(tuple(map(int, sizes)))


WAY_OUT = (
    f"Ponha lá uma cópia em bom estado, ou indique outra pasta que contenha os quatro arquivos do Fashion-MNIST: como root de load_data_fashion_mnist ou na variável de ambiente FASHION_MNIST. A pequena parte que vem com o notebook está em {SUBSET}."
)

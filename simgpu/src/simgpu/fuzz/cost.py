"""``python -m simgpu.fuzz.cost``: what the checks before a kernel cost, beside the kernel, for each kind of operation.

Processor time of one thread; medians of rounds.
"""

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from simgpu import operations
from simgpu.device import checks

ROUNDS, EACH = 15, 100
B, C, D = 64, 100, 64


def calls() -> dict[str, tuple[str, list[Any]]]:
    """An operation of each kind, and its arguments."""
    x, scores, labels = torch.randn(B, D), torch.randn(B, C), torch.randint(0, C, (B,))
    pictures, one = torch.randn(8, 16, 16, 16), torch.ones(())
    channels, pooled = torch.ones(16), torch.ops.aten.max_pool2d_with_indices(pictures, [2, 2])
    return {
        "pointwise": ("aten.add.Tensor", [x, x]),
        "product of matrices": ("aten.mm.default", [x, x.T.contiguous()]),
        "indices that PyTorch's kernel looks at": ("aten.index_select.default", [x, 0, labels.clamp(max=B - 1)]),
        "labels, backward": ("aten.nll_loss_backward.default", [one, scores, labels, None, 1, -100, one * B]),
        "rows of an embedding, backward": ("aten.embedding_dense_backward.default", [x, labels, C, -1, False]),
        "places of a pooling, backward": (
            "aten.max_pool2d_with_indices_backward.default",
            [torch.ones_like(pooled[0]), pictures, [2, 2], [2, 2], [0, 0], [1, 1], False, pooled[1]],
        ),
        "shapes, backward": ("aten.mse_loss_backward.default", [one, x, x + 1, 1]),
        "batch normalization": (
            "aten.native_batch_norm.default",
            [pictures, channels, channels, channels * 0, channels.clone(), True, 0.1, 1e-5],
        ),
        "Fourier transform": ("aten._fft_r2c.default", [x, [1], 0, True]),
    }


def _time(step: Callable[[], object]) -> float:
    found = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for _ in range(EACH):
            step()
        found.append((time.thread_time() - start) / EACH)
    return statistics.median(found) * 1e6


def main() -> None:
    """Print a table in µs."""
    torch.set_num_threads(1)
    print("| kind | operation | kernel, µs | each launch | once for a plan |\n|---|---|---|---|---|")
    for kind, (name, args) in calls().items():
        op = operations.overload(name)
        with torch.no_grad():
            kernel = _time(lambda op=op, args=args: op(*args))  # type: ignore[misc]
            launch, plan = (
                _time(lambda op=op, args=args, once=once: checks.checked(op, args, {}, shapes=once))  # type: ignore[misc]
                for once in (False, True)
            )
        print(f"| {kind} | `{name.removeprefix('aten.')}` | {kernel:.1f} | {launch:.1f} | {plan - launch:.1f} |")


if __name__ == "__main__":
    main()

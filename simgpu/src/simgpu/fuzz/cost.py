"""``python -m simgpu.fuzz.cost``: the cost of the checks before a kernel, and of the kernel process.

Processor time; medians of rounds. The second table needs Linux: it adds the time of the kernel process.
"""

import functools
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from simgpu import operations
from simgpu.device import checks
from simgpu.device.channel import Order, Thing
from simgpu.device.kernels import Kernels
from simgpu.device.plans import Defined, parse_plan
from simgpu.device.queues import MOST_TOGETHER
from simgpu.device.values import Values
from simgpu.device.worker import Worker
from simgpu.frames import json_message
from simgpu.limits import Limits
from simgpu.wire import Spec, encode

ROUNDS, EACH = 15, 100
LAUNCHES = 20 * MOST_TOGETHER
B, C, D = 64, 100, 64


def calls() -> dict[str, tuple[str, list[Any]]]:
    """Return an operation of each kind, with its arguments."""
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


@dataclass(eq=False)
class Storage:
    """The data of a storage that a channel needs."""

    cell: Thing
    spec: Spec | None
    fits: bool = True


class Process:
    """A kernel process, and a worker in this process that does the same.

    Args:
        kernels: The process.
        name: An operation.
        args: Its arguments.
    """

    def __init__(self, kernels: Kernels, name: str, args: list[Any]) -> None:
        self.kernels, self.worker, self.at = kernels, Worker(), kernels.channel()
        tensors = [a for a in args if isinstance(a, torch.Tensor)]
        places = iter(range(len(tensors)))
        made = operations.overload(name)(*args)
        outs = [made] if isinstance(made, torch.Tensor) else list(made)
        head = {
            "op": name, "kwargs": {}, "storages": len(tensors), "values": 0, "leaves": list(range(len(outs))),
            "args": [{"tensor": next(places)} if isinstance(a, torch.Tensor) else encode(a) for a in args],
            "tensors": [[n, Spec.of(t).json()] for n, t in enumerate(tensors)],
            "outs": [Spec.of(t).json() for t in outs],
        }  # fmt: skip
        self.defined = Defined(parse_plan(head), kernels.thing(), b"".join(json_message(0, head)[1:]), 0)
        self.storages = [Storage(kernels.thing(), Spec.of(t)) for t in (*tensors, *outs)]
        for storage, tensor in zip(self.storages, tensors, strict=False):
            spec = Spec.of(tensor).json()
            self.at.ask("write", [storage], bytes(tensor.contiguous().numpy()), storage=storage.cell.number, spec=spec)
            self.worker.values[storage.cell.number] = Values(Spec.of(tensor), tensor=tensor)
        self.worker.plans[self.defined.thing.number] = self.defined.plan

    def _body(self) -> bytes:
        numbers = [self.at.tell(storage) for storage in self.storages]
        return self.defined.plan.order.pack(self.at.tell_plan(self.defined), *numbers)

    def here(self) -> None:
        """Launch in this process."""
        body = self._body()
        for _ in range(LAUNCHES):
            self.worker._launch(body)

    def there(self, together: int) -> None:
        """Launch in the kernel process, this many together."""
        for _ in range(LAUNCHES // together):
            for _ in range(together):
                self.at.put(Order.LAUNCH, self._body())
            self.at.send()
            left = together
            while left:
                found = self.at.answers(left)
                left -= len(found)
                assert not any(isinstance(one, Exception) for one in found), found

    def spent(self, step: Callable[[], None]) -> float:
        """Return the median microseconds of both processes for a launch."""
        theirs = (~self.kernels.pid << 3) | 2  # Linux: the clock of a process's processor time
        found = []
        for _ in range(ROUNDS):
            start = time.process_time() + time.clock_gettime(theirs)
            step()
            found.append(time.process_time() + time.clock_gettime(theirs) - start)
        return statistics.median(found) / LAUNCHES * 1e6


def _time(step: Callable[[], object]) -> float:
    found = []
    for _ in range(ROUNDS):
        start = time.thread_time()
        for _ in range(EACH):
            step()
        found.append((time.thread_time() - start) / EACH)
    return statistics.median(found) * 1e6


def main() -> None:
    """Print both tables, in µs."""
    torch.set_num_threads(1)
    kernels = Kernels(Limits())
    print("| kind | operation | kernel, µs | checks at each launch | checks once for a plan |\n|---|---|---|---|---|")
    for kind, (name, args) in calls().items():
        op = operations.overload(name)
        with torch.no_grad():
            kernel = _time(lambda op=op, args=args: op(*args))  # type: ignore[misc]
            launch, plan = (
                _time(lambda op=op, args=args, once=once: checks.checked(op, args, {}, shapes=once))  # type: ignore[misc]
                for once in (False, True)
            )
        print(f"| {kind} | `{name.removeprefix('aten.')}` | {kernel:.1f} | {launch:.1f} | {plan - launch:.1f} |")

    own = "in their own process"
    head = f"| operation | kernels in the same process, µs | {own}, one launch at a time |"
    head += f" {own}, {MOST_TOGETHER} launches together |"
    print(f"\n{head}\n|---|---|---|---|")
    with torch.no_grad():
        for kind in ("pointwise", "product of matrices", "batch normalization"):
            name, args = calls()[kind]
            both = Process(kernels, name, args)
            here = both.spent(both.here)
            alone, together = (both.spent(functools.partial(both.there, n)) - here for n in (1, MOST_TOGETHER))
            print(f"| `{name.removeprefix('aten.')}` | {here:.1f} | +{alone:.1f} | +{together:.1f} |")
    kernels.close()


if __name__ == "__main__":
    main()

"""The computations of collectives, in the kernel process."""

import functools
from collections.abc import Callable, Sequence

import torch
from torch import Tensor

REDUCTIONS: dict[str, Callable[[list[Tensor]], Tensor]] = {
    "sum": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()),
    "avg": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()) / len(parts),
    "max": lambda parts: functools.reduce(torch.maximum, parts[1:], parts[0].clone()),
    "min": lambda parts: functools.reduce(torch.minimum, parts[1:], parts[0].clone()),
    "product": lambda parts: functools.reduce(torch.mul, parts[1:], parts[0].clone()),
}
Results = dict[int, list[Tensor]]


def results_of(op: str, reduction: str, root: int, ins: list[list[Tensor]]) -> Results:
    """Return each rank's result from the inputs of all, reduced in the order of ranks.

    Raises:
        ValueError: there is no such collective.
    """
    ranks = range(len(ins))
    reduce = REDUCTIONS[reduction]
    match op:
        case "all_reduce":
            values = [reduce([ins[r][n] for r in ranks]) for n in range(len(ins[0]))]
            return dict.fromkeys(ranks, values)
        case "broadcast":
            return {key: [t.clone() for t in ins[root]] for key in ranks}
        case "all_gather":
            return {key: [t.clone() for r in ranks for t in ins[r]] for key in ranks}
        case "reduce_scatter":
            return {r: [reduce([i[r] for i in ins])] for r in ranks}
        case "reduce":
            return {r: [reduce([i[0] for i in ins])] if r == root else [] for r in ranks}
        case "gather":
            return {r: [i[0].clone() for i in ins] if r == root else [] for r in ranks}
        case "scatter":
            return {r: [ins[root][r].clone()] for r in ranks}
        case "all_to_all":
            return {r: [i[r].clone() for i in ins] for r in ranks}
        case "send":
            return {r: [ins[0][0].clone()] if r else [] for r in ranks}
    raise ValueError(f"no collective {op!r}")


def write_result(op: str, members: Sequence[int], target: Tensor, value: Tensor) -> None:
    """Write one result of a meeting to its rank's place.

    Raises:
        RuntimeError: what was sent does not fit there.
    """
    if op == "send" and (target.numel(), target.dtype) != (value.numel(), value.dtype):
        one, two = members
        raise RuntimeError(
            f"rank {one} sends {_layout(value)} and rank {two} receives {_layout(target)}: "
            "both need the same dtype and number of elements"
        )
    target.copy_(value.view(target.shape) if op == "send" else value)


def _layout(tensor: Tensor) -> str:
    return f"{str(tensor.dtype).removeprefix('torch.')} {list(tensor.shape)}"

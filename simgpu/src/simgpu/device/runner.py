"""Runs launches of plans, in the kernel process."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import torch

from simgpu.device import checks
from simgpu.device.plans import Plan, Slot
from simgpu.device.values import Values, address_of
from simgpu.frames import BadMessage


class Runner:
    """Runs launches; one for the kernel process, in its threads."""

    def __init__(self) -> None:
        self._drawing = threading.Lock()

    def run(
        self, plan: Plan, values: Sequence[float], seed: int, storages: Sequence[Values]
    ) -> tuple[Any, list[torch.Tensor]]:
        """Call the kernel; return its result and the tensors that it was given."""
        tensors = [storages[place].view(spec) for place, spec in plan.tensors]
        given = tensors
        if plan.overwritten:  # a kernel resizes out= as it likes, but a storage must keep its counted size
            given = list(tensors)
            for n in plan.overwritten:
                given[n] = torch.empty_like(tensors[n])
        args = [_fill(a, given, values) for a in plan.args]
        kwargs = {k: _fill(v, given, values) for k, v in plan.kwargs.items()} if plan.kwargs else {}
        if not plan.checked or plan.looks:
            args, kwargs = checks.checked(plan.op, args, kwargs, shapes=not plan.checked)
            plan.checked, plan.looks = True, checks.looks(plan.op)
        if not plan.random:
            result = plan.run(*args, **kwargs)
        else:
            with self._drawing:  # CPU kernels share one generator; the seed was fixed when this was enqueued
                torch.default_generator.manual_seed(seed)
                result = plan.run(*args, **kwargs)
        for n in plan.overwritten:
            if given[n].shape != tensors[n].shape:
                raise BadMessage(f"an out= of {list(tensors[n].shape)} for a result of {list(given[n].shape)}")
            tensors[n].copy_(given[n])
        return result, tensors

    def keep(self, plan: Plan, result: Any, tensors: list[torch.Tensor], outs: Sequence[Values]) -> None:
        """Store a kernel's results in their storages."""
        leaves = [result] if isinstance(result, torch.Tensor) else list(tensors_of(result))
        if len(leaves) != len(plan.leaves):
            raise BadMessage(f"{len(leaves)} results where the front end announced {len(plan.leaves)}")
        if not outs:
            return
        taken = {address_of(t.untyped_storage()) for t in tensors}
        for value, place in zip(leaves, plan.leaves, strict=True):
            if place >= 0:
                outs[place].store(value, taken)


def _fill(value: Any, tensors: list[torch.Tensor], values: Sequence[float]) -> Any:
    """Return a plan's argument with the tensors and values of one launch."""
    if isinstance(value, Slot):
        if value.of_tensors:
            return tensors[value.content]
        number = values[value.content]
        return number if value.dtype is None else torch.tensor(number, dtype=value.dtype)
    return [_fill(v, tensors, values) for v in value] if isinstance(value, list) else value


def tensors_of(result: Any) -> Iterator[torch.Tensor]:
    """Return the tensors of a result, from left to right."""
    if isinstance(result, torch.Tensor):
        yield result
    elif isinstance(result, tuple | list):
        for part in result:
            yield from tensors_of(part)

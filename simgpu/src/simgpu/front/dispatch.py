"""The path of every operation: from its arguments to a plan, found in a table or made."""

import functools
from typing import Any

import torch
from torch.utils._pytree import tree_map

from simgpu.front import autocast, long_lists, plans, rng, state
from simgpu.front.errors import StalePlan
from simgpu.front.link import is_started, refuse_fork
from simgpu.front.plans import Plan
from simgpu.front.tensor import Layout, SimTensor, Storage

FLOAT, TRUE, FALSE, LIST, HOST, HERE = object(), object(), object(), object(), object(), object()
_plans: dict[tuple[Any, ...], Plan] = {}
_on_any: dict[tuple[Any, ...], Plan] = {}
"""Plans by keys without a device: an operation that a data-parallel program runs on all devices is predicted once."""


class _WithGenerator(Exception):
    """An operation has a generator argument, which is not part of its plan."""


class Special(dict[Any, Any]):
    """Return the function of an operation that is more than a launch; None for single launches."""

    def __missing__(self, func: Any) -> Any:
        # Autograd decomposes composite operations before they come here, but not in inference mode, nor for tensors
        # made there.
        composite = torch._C._dispatch_has_kernel_for_dispatch_key(func.name(), autocast.COMPOSITE)
        # Not func.decompose, which prefers decompositions in Python, meant for the compiler.
        self[func] = functools.partial(autocast.decompose, func) if composite else None
        return self[func]


SPECIAL = Special()
"""The modules that implement such operations register them here."""
_specials: dict[int, Any] = {}
"""The same by the identity of operations, because their hash is in Python; ``SPECIAL`` keeps them alive."""


def scan(
    values_in: Any, key: list[Any], tensors: list[SimTensor], storages: dict[Storage, int], values: list[float]
) -> None:
    """Add to ``key`` what decides the plan, and collect the values that differ between launches."""
    for value in values_in:
        kind = type(value)
        if kind is SimTensor:
            tensors.append(value)
            storage = value._storage
            place = storages.get(storage)
            if place is None:
                place = storages[storage] = len(storages)
            key.append(value._key)
            key.append(place)
        elif kind is float:
            values.append(value)
            key.append(FLOAT)
        elif value is None or kind is int or kind is str:
            key.append(value)
        elif kind is bool:
            key.append(TRUE if value else FALSE)
        elif kind is list or kind is tuple:
            key.append(LIST)
            key.append(len(value))
            scan(value, key, tensors, storages, values)
        elif isinstance(value, torch.Tensor):
            _scan_host(value, key, tensors, values)
        elif isinstance(value, torch._C.Generator):
            raise _WithGenerator(value)
        else:
            key.append(value)


def _scan_host(value: torch.Tensor, key: list[Any], tensors: list[SimTensor], values: list[float]) -> None:
    if isinstance(value, SimTensor):  # a Parameter created in another way
        raise NotImplementedError(f"simgpu: tensors of type {type(value).__name__} are not supported on this device")
    if value.dim() or value.device.type != "cpu":
        raise plans.mixed(tensors[0].device if tensors else state.DEVICES[state.LOCAL.device], value.device)
    key.append(HOST)
    key.append(value.dtype)
    if value.is_floating_point():
        values.append(float(value.item()))
    else:
        key.append(value.item())


def run(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operation: find its plan and launch it."""
    tensors: list[SimTensor] = []
    storages: dict[Storage, int] = {}
    values: list[float] = []
    key: list[Any] = [id(func)]
    try:
        scan(args, key, tensors, storages, values)
        if kwargs:
            for name in kwargs:
                key.append(name)
            scan(kwargs.values(), key, tensors, storages, values)
    except _WithGenerator as found:
        with rng.drawing_from(found.args[0]):
            return run(func, *tree_map(_without_generator, (args, kwargs)))
    identity = tuple(key)
    plan = _plans.get(identity)
    if plan is None:
        wanted = kwargs.get("device")
        if (
            wanted is not None
            and len(tensors) == 1
            and args[0] is tensors[0]
            and state.named(wanted) != tensors[0].device
        ):
            # zeros_like(x, device="cpu"): only the layout is needed
            here = torch.empty_strided(args[0].size(), args[0].stride(), dtype=args[0].dtype, device=wanted)
            return func(here, *args[1:], **kwargs)
        if func._schema.name.startswith("aten::_foreach_") and len({t._storage.device for t in tensors}) > 1:
            return _entry_by_entry(func, args, kwargs, tensors)
        if len(tensors) > long_lists.MOST and (in_parts := long_lists.in_parts(func, args, kwargs)):
            return in_parts()
        plan = _made(func, args, kwargs, tensors, storages, key)
        if plan is None:
            return run(func, args, kwargs)
        _plans[identity] = plan
    if plan.writes:
        for storage in storages:
            if storage.read_only:
                _refuse_to_write(func, tensors)
    try:
        return plan.play(tensors, storages, values)
    except StalePlan:
        _plans.clear()
        _on_any.clear()
        return run(func, args, kwargs)


def _entry_by_entry(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[SimTensor]) -> Any:
    """Run a list operation over several devices entry by entry, as PyTorch's slow path does."""
    named, lists = long_lists.named_entries(func, args, kwargs)
    first, *others = map(len, lists.values())
    for count in others:
        if count != first:
            raise RuntimeError(f"Tensor lists must have the same number of tensors, got {first} and {count}")
    if first == 1:
        raise plans.mixed(*list(dict.fromkeys(t.device for t in tensors))[:2])
    found = [func(**named | {name: entries[i : i + 1] for name, entries in lists.items()}) for i in range(first)]
    return [result for results in found for result in results] if func._schema.returns else None


def _made(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], tensors: list[SimTensor], storages: dict[Storage, int],
    key: list[Any],
) -> Plan | None:  # fmt: skip
    """Return a new plan, or one that exists for another device; None as in ``plans.make``."""
    shared = _without_device(key, tensors)
    plan = None if shared is None else _on_any.get(shared)
    if plan is not None:
        return plan.on(tensors[0]._storage.device)
    plan = plans.make(func, args, kwargs, tensors, storages)
    if plan is not None and shared is not None:
        _on_any[shared] = plan
    return plan


def _without_device(key: list[Any], tensors: list[SimTensor]) -> tuple[Any, ...] | None:
    """Return a key that does not depend on the device; None if several devices take part, or none."""
    here = {tensor._storage.device for tensor in tensors}
    if len(here) != 1:
        return None
    found = []
    for part in key:
        if type(part) is Layout:
            part = part.spec, part.nbytes
        elif isinstance(part, torch.device):
            if part.type not in state.OURS or state.index_of(part) not in here:
                return None
            part = HERE
        found.append(part)
    return tuple(found)


def _without_generator(value: Any) -> Any:
    return None if isinstance(value, torch._C.Generator) else value


def _refuse_to_write(func: Any, tensors: list[SimTensor]) -> None:
    written = tensors[0]._storage.read_only
    if written:
        raise NotImplementedError(
            f"simgpu: {func} would write through a conjugate view, which is a copy on this device. Use .resolve_conj()."
        )


def handle(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run an operation for ``__torch_dispatch__``."""
    try:
        special = _specials[id(func)]
    except KeyError:
        special = _specials[id(func)] = SPECIAL[func]
    return special(*args, **kwargs) if special is not None else run(func, args, kwargs)


def was_forked() -> None:
    """Run an operation in a forked process: views need no message, and C++ would read memory that is not here."""
    if is_started():
        SimTensor.handle = staticmethod(refuse_fork)


SimTensor.handle = staticmethod(handle)

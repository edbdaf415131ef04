"""Operations on more tensors than a message names: they run in parts, as CUDA starts several kernels for such lists."""

from collections.abc import Callable
from typing import Any

import torch

from simgpu.wire import MOST_SLOTS

aten = torch.ops.aten
MOST = 1024
"""How many tensors an operation names if it can run in parts."""
ENTRIES = "List[Tensor]", "List[number]"
"""Types of arguments that have an entry for each tensor."""
JOINING = {
    aten.cat.default: (aten.cat.default, aten.cat.default),
    aten.cat.out: (aten.cat.default, aten.cat.out),
    aten.stack.default: (aten.stack.default, aten.cat.default),
    aten.stack.out: (aten.stack.default, aten.cat.out),
}
"""For operations that make one tensor of a list: what joins a part of it, and what joins the results."""


def named_entries(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all arguments of an operation on lists by name, and those with an entry for each tensor."""
    arguments = func._schema.arguments
    named = dict(zip([one.name for one in arguments], args, strict=False)) | kwargs
    return named, {one.name: named[one.name] for one in arguments if str(one.type) in ENTRIES and one.name in named}


def in_parts(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[[], Any] | None:
    """Return what runs an operation in parts; None if nothing can."""
    if func in JOINING:
        return lambda: _joined(func, *args, **kwargs)
    if not func._schema.name.startswith(("aten::_foreach_", "aten::_fused_", "aten::_amp_foreach_")):
        return None
    named, lists = named_entries(func, args, kwargs)
    lists = {name: entries for name, entries in lists.items() if len(entries)}  # optimizers leave some lists empty
    count, size = len(next(iter(lists.values()))), MOST // len(lists)
    if count <= size or any(len(entries) != count for entries in lists.values()):
        return None
    return lambda: _entries(func, named, lists, size, count)


def _joined(func: Any, tensors: Any, dim: int = 0, **out: Any) -> Any:
    part, whole = JOINING[func]
    return whole([part(tensors[i : i + MOST], dim) for i in range(0, len(tensors), MOST)], dim, **out)


def _entries(func: Any, named: dict[str, Any], lists: dict[str, Any], size: int, count: int) -> Any:
    found: list[Any] = []
    for start in range(0, count, size):
        made = func(**named | {name: entries[start : start + size] for name, entries in lists.items()})
        found += made or ()
    return found if func._schema.returns else None


def check(func: Any, tensors: int, values: int) -> None:
    """Check that the device takes as many tensors and numbers.

    Raises:
        NotImplementedError: these are too many.
    """
    if max(tensors, values) > MOST_SLOTS:
        text = f"{func}: an operation can have at most {MOST_SLOTS:,} tensors and as many numbers"
        raise NotImplementedError(f"simgpu: {text}, but these are {tensors:,} and {values:,}")

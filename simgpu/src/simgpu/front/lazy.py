"""Parameters without a shape (``nn.LazyLinear``), and other subclasses of tensors.

PyTorch makes such an object from a plain tensor's own C++ object, which a simulated tensor lacks. So a parameter
without a shape is on the host, stores its device, and is created there later.
"""

import functools
import threading
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.parameter import UninitializedTensorMixin

from simgpu.front import state
from simgpu.front.tensor import SimTensor

PLACE = "simgpu_device"
"""The attribute of a parameter without a shape that names its future device."""


def apply() -> None:
    """Change PyTorch, once, after the change of ``torch.Tensor.to``, which this finds by its name."""
    torch.Tensor._make_subclass = staticmethod(_subclass_of(torch.Tensor._make_subclass))  # type: ignore[method-assign]
    mixin: Any = UninitializedTensorMixin
    mixin._allowed_methods = [*mixin._allowed_methods, torch.Tensor.to]
    mixin.materialize, mixin.to = _materialized(mixin.materialize), _moved
    mixin.cpu, mixin.simgpu = lambda lazy: lazy.to("cpu"), on_device
    lazy: Any = torch.nn.UninitializedParameter
    lazy.__deepcopy__ = _copied(lazy.__deepcopy__)
    torch.nn.Module._apply = _applied(torch.nn.Module._apply)  # type: ignore[method-assign]
    torch.__future__.get_swap_module_params_on_conversion = _swapping(
        torch.__future__.get_swap_module_params_on_conversion
    )


def _subclass_of(make: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(make)
    def call(cls: Any, data: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        if not isinstance(data, SimTensor):
            return make(cls, data, *args, **kwargs)
        if not issubclass(cls, UninitializedTensorMixin):
            raise NotImplementedError(
                f"simgpu: a tensor on this device cannot become a {cls.__name__}. Keep it in an attribute of an object "
                "of your own, or work with the subclass on the host."
            )
        made = make(cls, torch.empty(0, dtype=data.dtype, device="cpu"), *args, **kwargs)
        setattr(made, PLACE, data.device)
        return made

    return call


def _moved(lazy: Any, *args: Any, **kwargs: Any) -> Any:
    """``to`` of a parameter without a shape: return another one that stores its device."""
    target, dtype, *_ = torch._C._nn._parse_to(*args, **kwargs)
    place = getattr(lazy, PLACE, None) if target is None else state.named(target)
    ours = place is not None and place.type in state.OURS
    made = type(lazy)(lazy.requires_grad, "cpu" if ours else place or lazy.device, dtype or lazy.dtype)
    setattr(made, PLACE, place if ours else None)
    return made


def on_device(lazy: Any, device: Any = None, non_blocking: bool = False) -> Any:
    """As ``torch.Tensor.cuda``, for a parameter without a shape."""
    return _moved(lazy, state.DEVICES[state.index_of(device)])


def _materialized(materialize: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(materialize)
    def call(lazy: Any, shape: Any, device: Any = None, dtype: Any = None) -> None:
        place = getattr(lazy, PLACE, None) if device is None else torch.device(device)
        if place is None or place.type not in state.OURS:
            materialize(lazy, shape, device, dtype)
            return
        made: Any = torch.empty(shape, device=place, dtype=dtype or lazy.dtype)
        if isinstance(lazy, torch.nn.Parameter):
            made = torch.nn.Parameter(made, lazy.requires_grad)
        else:
            made._is_buffer, made.persistent = True, lazy.persistent
        torch.utils.swap_tensors(lazy, made)

    return call


def _copied(deepcopy: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(deepcopy)
    def call(lazy: Any, memo: dict[int, Any]) -> Any:
        made = deepcopy(lazy, memo)
        setattr(made, PLACE, getattr(lazy, PLACE, None))
        return made

    return call


class _Applying(threading.local):
    now = False
    """Whether this thread converts a module."""


_APPLYING = _Applying()


def _swapping(swaps: Callable[[], bool]) -> Callable[[], bool]:
    """Swap when a module is converted, so that ``net.to(device)`` keeps its parameters; copy when it loads a state."""
    return functools.wraps(swaps)(lambda: _APPLYING.now or swaps())


def _applied(apply_to: Callable[..., Any]) -> Callable[..., Any]:
    """``Module._apply`` for lazy parameters, which swapping (set here) would give a shape."""

    @functools.wraps(apply_to)
    def call(module: torch.nn.Module, fn: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> Any:
        lazies = {key: p for key, p in module._parameters.items() if isinstance(p, UninitializedTensorMixin)}
        buffers = {key: b for key, b in module._buffers.items() if isinstance(b, UninitializedTensorMixin)}
        module._parameters.update(dict.fromkeys(lazies))
        before, _APPLYING.now = _APPLYING.now, True
        try:
            result = apply_to(module, fn, recurse)
        finally:
            _APPLYING.now = before
            module._parameters.update(lazies)
        for lazy in lazies.values():
            with torch.no_grad():
                made: Any = fn(lazy)
            setattr(lazy, PLACE, getattr(made, PLACE, getattr(lazy, PLACE, None)))
            lazy.data = made.data  # its type, and its device if it is not simgpu's
        for key, buffer in buffers.items():
            made = module._buffers[key]
            setattr(made, PLACE, getattr(made, PLACE, getattr(buffer, PLACE, None)))
        return result

    return call

"""Functions that create tensors, and the few operations that C++ looks up in a backend by name."""

import functools
from typing import Any

import torch

from simgpu.front import copies, pinned, plans, state
from simgpu.front.tensor import SimTensor
from simgpu.wire import Spec

aten = torch.ops.aten
COMPUTED = """arange arange.start arange.start_step linspace logspace eye eye.m randperm randperm.generator
tril_indices triu_indices
scalar_tensor range range.step kaiser_window kaiser_window.periodic kaiser_window.beta""".split()


def _empty(
    size: Any,
    dtype: Any = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: Any = None,
    memory_format: Any = None,
) -> SimTensor:
    return _allocated(device, torch.empty(size, dtype=dtype, device="meta", memory_format=memory_format))


def _empty_strided(
    size: Any, stride: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> SimTensor:
    return _allocated(device, torch.empty_strided(size, stride, dtype=dtype, device="meta"))


def _allocated(device: Any, meta: torch.Tensor) -> SimTensor:
    spec = Spec.of(meta)
    return SimTensor.at(plans.allocate(state.index_of(device), spec), spec)


def _computed(func: Any, *args: Any, **kwargs: Any) -> Any:
    return plans.factory(func, kwargs, args)


def _zero_tensor(
    size: Any, dtype: Any = None, layout: Any = None, device: Any = None, pin_memory: Any = None
) -> torch.Tensor:
    """Create autograd's zero tensor, which has no memory in PyTorch and some here."""
    return _empty(size, dtype, layout, device).zero_()


def _one_hot(tensor: torch.Tensor, num_classes: int = -1) -> torch.Tensor:
    """Use ``scatter``, which checks indices: PyTorch's own way makes zeros for a class that is too large."""
    if tensor.dtype != torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if num_classes == -1:
        if not tensor.numel():
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        num_classes = int(tensor.max().item()) + 1
    if num_classes < 1:
        raise RuntimeError("num_classes should be positive")
    zeros = torch.zeros((*tensor.shape, num_classes), dtype=torch.int64, device=tensor.device)
    return zeros.scatter_(-1, tensor.unsqueeze(-1), 1)


def _is_pinned(tensor: torch.Tensor, device: Any = None) -> bool:
    return pinned.holding(tensor) is not None


def register_factories(key: str) -> torch.library.Library:
    """Register factories under a key with PyTorch's dispatcher; the result must be kept alive."""
    library = torch.library.Library("aten", "IMPL")
    library.impl("empty.memory_format", _empty, key)
    library.impl("empty_strided", _empty_strided, key)
    library.impl("_efficientzerotensor", _zero_tensor, key)
    for name in COMPUTED:
        packet, _, overload = name.partition(".")
        func = getattr(getattr(aten, packet), overload or "default")
        library.impl(name, functools.partial(_computed, func), key)
    return library


def register() -> list[torch.library.Library]:
    """Register with PyTorch's dispatcher; the result must be kept alive."""
    library = register_factories("PrivateUse1")
    # with or without a gradient, PyTorch would use its own implementation
    for key in ("PrivateUse1", "AutogradPrivateUse1"):
        library.impl("one_hot", _one_hot, key)
    library.impl("_copy_from", copies.copy_from, "PrivateUse1")
    library.impl("_pin_memory", pinned.pin, "CPU")
    library.impl("is_pinned", _is_pinned, "CPU")
    return [library]

"""Operations that are more than a launch: indices from the host, memory of other tensors, conjugate views."""

import functools
from typing import Any

import torch

from simgpu.front import copies, dispatch, plans, shapes
from simgpu.front.tensor import SimTensor, Storage
from simgpu.wire import Spec

aten = torch.ops.aten


def _index(func: Any, tensor: torch.Tensor, indices: list[Any], *rest: Any, **named: Any) -> Any:
    """Index with indices from the host, which CUDA also accepts and copies: a wait."""
    device = next((t.device for t in (tensor, *indices) if isinstance(t, SimTensor)), None)
    if device is None:  # only the values are on the device
        raise plans.mixed(tensor.device, rest[0].device)
    here = [i if i is None or isinstance(i, SimTensor) else i.to(device) for i in indices]
    return dispatch.run(func, (tensor, here, *rest), named)


def _physical(func: Any, tensor: SimTensor) -> torch.Tensor:
    """Copy a conjugate view, because it is a copy here; writing through it is refused."""
    if func is aten.conj_physical.default and not tensor.is_complex():
        return dispatch.run(aten.alias.default, (tensor,), {})  # type: ignore[no-any-return]
    made = dispatch.run(func, (tensor,), {})
    made._storage.read_only = True
    return made  # type: ignore[no-any-return]


def _set(tensor: SimTensor, source: Any = None, *layout: Any) -> SimTensor:
    """``set_``: use another tensor's storage."""
    if not isinstance(tensor, SimTensor):
        raise plans.mixed(tensor.device, source.device)
    if not isinstance(source, SimTensor):
        raise NotImplementedError("simgpu: set_ takes a tensor on the device, not a storage")
    spec = source._spec
    if layout:
        offset, size, *stride = layout
        strides = tuple(stride[0]) if stride and stride[0] else tuple(torch.empty(size, device="meta").stride())
        spec = Spec(tensor.dtype, tuple(size), strides, offset)
    plans.check_view(spec, source._storage.nbytes)
    tensor.lie(source._storage, spec)
    return tensor


def _set_empty(tensor: SimTensor) -> SimTensor:
    spec = Spec(tensor.dtype, (0,), (1,), 0)
    tensor.lie(plans.allocate(tensor._storage.device, spec), spec)
    return tensor


def _resize(tensor: SimTensor, size: Any, *, memory_format: Any = None) -> SimTensor:
    """``resize_``: a tensor that grows gets new memory with the old values first, as on CUDA."""
    meta = torch.empty(size, dtype=tensor.dtype, device="meta", memory_format=memory_format)
    spec = Spec(tensor.dtype, tuple(meta.shape), tuple(meta.stride()), tensor._spec.offset)
    old: Storage = tensor._storage
    if spec.nbytes <= old.nbytes:
        tensor.lie(old, spec)
        return tensor
    storage = plans.allocate(old.device, spec)
    count = min(old.nbytes, spec.nbytes) // tensor.dtype.itemsize
    if count:
        flat = Spec(tensor.dtype, (count,), (1,), 0)
        SimTensor.at(storage, flat).copy_(SimTensor.at(old, flat))
    tensor.lie(storage, spec)
    return tensor


def _resize_as(tensor: SimTensor, like: torch.Tensor, *, memory_format: Any = None) -> SimTensor:
    return _resize(tensor, like.shape, memory_format=memory_format)


def _is_pinned(tensor: SimTensor, device: Any = None) -> bool:
    return False


def _pin(tensor: SimTensor, device: Any = None) -> Any:
    raise RuntimeError(f"cannot pin '{tensor.type()}' only dense CPU tensors can be pinned")


def _packed(tensor: SimTensor, lengths: torch.Tensor, batch_first: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """Return sequences without padding. Lengths and batch sizes are on the host, as on CUDA."""
    if lengths.device.type != "cpu":
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, but it is on {lengths.device}")
    _, sizes = aten._pack_padded_sequence.default(torch.empty(tensor.shape[:2]), lengths, batch_first)
    steps = tensor.transpose(0, 1) if batch_first else tensor
    return torch.cat([steps[t, :size] for t, size in enumerate(sizes.tolist())]), sizes


def _is_left_aligned(tensor: SimTensor, mask: SimTensor) -> bool:
    """Return false after the wait that CUDA makes: nested tensors do not exist here."""
    copies.read(mask, "aten._nested_tensor_from_mask_left_aligned.default")
    return False


def _of_numbers(func: Any, *args: Any, **named: Any) -> Any:
    """``linspace`` between two tensors: CUDA also needs their values."""
    return func(*[copies.item(a) if isinstance(a, SimTensor) else a for a in args], **named)


def _histogram(func: Any, tensor: torch.Tensor, bins: int = 100, min: float = 0, max: float = 0, **named: Any) -> Any:
    """``histc``: without bounds, CUDA reads the smallest and the largest value."""
    if min == max and isinstance(tensor, SimTensor) and tensor.numel():
        _read_extremes(func, tensor, aten.min.default, aten.max.default)
    return dispatch.run(func, (tensor, bins, min, max), named)


def _bincount(func: Any, tensor: torch.Tensor, *rest: Any, **named: Any) -> Any:
    """``bincount``: before CUDA reads the largest value, it reads the smallest one of a type with a sign."""
    if isinstance(tensor, SimTensor) and tensor.dim() == 1 and tensor.numel() and tensor.dtype != torch.uint8:
        _read_extremes(func, tensor, aten.min.default)
    return dispatch.run(func, (tensor, *rest), named)


def _read_extremes(func: Any, tensor: SimTensor, *extremes: Any) -> None:
    for extreme in extremes:
        copies.read(dispatch.run(extreme, (tensor,), {}), str(func))


def _check_errors(info: torch.Tensor, name: str, *, is_matrix: bool) -> None:
    """Check whether a factorization failed: CUDA also does, and this is a wait."""
    told = copies.read(info, "aten._linalg_check_errors.default") if isinstance(info, SimTensor) else info
    aten._linalg_check_errors.default(told, name, is_matrix=is_matrix)


def _is_same_size(one: torch.Tensor, other: torch.Tensor) -> bool:
    return one.shape == other.shape


def _has_same_storage_numel(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Compare sizes before a tensor gets a tangent."""
    first, second = (
        t._storage.nbytes if isinstance(t, SimTensor) else t.untyped_storage().nbytes() for t in (one, other)
    )
    return first // one.dtype.itemsize == second // other.dtype.itemsize


for _packet in (aten.linspace, aten.logspace):
    for _overload in ("Tensor_Tensor", "Tensor_Scalar", "Scalar_Tensor"):
        dispatch.SPECIAL[getattr(_packet, _overload)] = functools.partial(_of_numbers, _packet.default)
dispatch.SPECIAL |= {f: functools.partial(_index, f) for f in shapes.INDEXING}
dispatch.SPECIAL |= {f: functools.partial(_histogram, f) for f in (aten.histc.default, aten.histc.out)}
dispatch.SPECIAL |= {f: functools.partial(_bincount, f) for f in (aten.bincount.default, aten.bincount.out)}
# refused by its own name, not by those of its parts
dispatch.SPECIAL[aten._sparse_compressed_tensor_unsafe.default] = None
dispatch.SPECIAL |= {
    aten._conj.default: functools.partial(_physical, aten.conj_physical.default),
    aten._neg_view.default: functools.partial(_physical, aten.neg.default),
    aten.set_.source_Tensor: _set,
    aten.set_.source_Tensor_storage_offset: _set,
    aten.set_.source_Storage: _set,
    aten.set_.source_Storage_storage_offset: _set,
    aten.set_.default: _set_empty,
    aten.resize_.default: _resize,
    aten.resize_as_.default: _resize_as,
    aten.is_pinned.default: _is_pinned,
    aten._pin_memory.default: _pin,
    aten._pack_padded_sequence.default: _packed,
    aten._linalg_check_errors.default: _check_errors,
    aten.is_same_size.default: _is_same_size,
    aten._has_same_storage_numel.default: _has_same_storage_numel,
    aten._nested_tensor_from_mask_left_aligned.default: _is_left_aligned,
}

"""Copies between host and devices, and reading values; they wait where CUDA waits."""

from typing import Any

import torch

from simgpu.frames import MOST, Kind, json_message
from simgpu.front import dispatch, pinned, state
from simgpu.front.backward import note, stream_for, stream_waits
from simgpu.front.link import link
from simgpu.front.tensor import SimTensor
from simgpu.front.waits import before_a_wait, wait
from simgpu.wire import STREAMS, bytes_of

aten = torch.ops.aten
STAGED = 1 << 16
"""Larger copies, in bytes, go through pinned memory instead of the socket."""
UNSTAGED = MOST // 2
"""If pinned memory has run out, copies of up to this many bytes still go through the socket."""
PIECE = 64 << 20
"""Larger copies of pageable memory, in bytes, are split into pieces, each with its own wait."""
BLOCKING = "copy without non_blocking"
"""The name of the wait for a copy between the device and pinned memory."""


def read(tensor: SimTensor, label: str) -> torch.Tensor:
    """Return the values on the host; waits for the current stream."""
    tensor = tensor.detach()  # type: ignore[assignment]
    nbytes = tensor.numel() * tensor.dtype.itemsize
    if nbytes > STAGED:
        staging = pinned.staging(tensor.shape, tensor.dtype) if nbytes <= PIECE else None
        if staging is not None:
            copy(staging, tensor, label=label)
            return staging.clone()
        if nbytes > UNSTAGED:
            host = torch.empty(tensor.shape, dtype=tensor.dtype)
            for part, place in zip(_halves(tensor), _halves(host), strict=True):
                place.copy_(read(part, label))  # type: ignore[arg-type]
            return host
    before_a_wait()
    stream = stream_for(tensor._storage.device, [tensor._storage])
    head = {"storage": tensor._storage.number, "spec": tensor._spec.json(), "stream": stream, "label": label}
    data = link().ask(Kind.DOWNLOAD, head)
    if not data:
        return torch.empty(tensor.shape, dtype=tensor.dtype)
    return torch.frombuffer(bytearray(data), dtype=tensor.dtype).view(tensor.shape)


def _halves(tensor: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Split a tensor of two or more elements into two views."""
    dim = max(range(tensor.dim()), key=tensor.shape.__getitem__)
    size = tensor.shape[dim]
    return aten.slice.Tensor(tensor, dim, 0, size // 2), aten.slice.Tensor(tensor, dim, size // 2, size)


def item(tensor: SimTensor) -> Any:
    """As ``torch.Tensor.item``."""
    return read(tensor, "item").item()


def to_copy(
    tensor: SimTensor, *, device: Any = None, dtype: Any = None, non_blocking: bool = False, **rest: Any
) -> torch.Tensor:
    """As ``torch.Tensor.to``, where something must be copied."""
    if device is None or device.type != "cpu":
        if device is None or state.named(device) == tensor.device:
            return dispatch.run(aten._to_copy.default, (tensor,), {"dtype": dtype, "device": tensor.device, **rest})  # type: ignore[no-any-return]
        if device.type not in state.OURS:
            return to_copy(tensor, device=torch.device("cpu"), dtype=dtype).to(device)
        if dtype not in (None, tensor.dtype):  # converted on its own device, then copied
            tensor = to_copy(tensor, dtype=dtype)  # type: ignore[assignment]
        return copy(
            torch.empty_like(tensor, device=state.named(device), memory_format=rest.get("memory_format")), tensor
        )
    if (
        not non_blocking or not tensor.numel() or dtype not in (None, tensor.dtype)
    ):  # a conversion uses pageable memory, so it waits
        host = read(tensor, "to(cpu)").to(dtype=dtype or tensor.dtype)
        return _laid_out_as(tensor, host, rest.get("memory_format"))
    host = pinned.empty(tensor.shape, tensor.dtype)
    copy(host, tensor, non_blocking=True)
    return host


def _laid_out_as(tensor: SimTensor, host: torch.Tensor, memory_format: Any) -> torch.Tensor:
    """Return the strides that PyTorch gives a copy."""
    if host.dim() < 2 or memory_format not in (None, torch.preserve_format):
        return host if memory_format in (None, torch.preserve_format) else host.contiguous(memory_format=memory_format)
    wanted = torch.empty_like(
        torch.empty_strided(tensor._spec.size, tensor._spec.stride, dtype=host.dtype, device="meta")
    ).stride()
    return host if host.stride() == wanted else torch.empty_strided(host.shape, wanted, dtype=host.dtype).copy_(host)


def copy(target: torch.Tensor, source: torch.Tensor, non_blocking: bool = False, label: str = BLOCKING) -> torch.Tensor:
    """Copy like ``torch.Tensor.copy_``, for tensors in any places."""
    if isinstance(target, SimTensor) and isinstance(source, SimTensor):
        if target._storage.device == source._storage.device:
            return dispatch.run(aten.copy_.default, (target, source), {})  # type: ignore[no-any-return]
        return _to_peer(target, source)
    upload = isinstance(target, SimTensor)
    device, host = (target, source) if isinstance(target, SimTensor) else (source, target)
    assert isinstance(device, SimTensor)
    if upload and device._storage.read_only:
        dispatch._refuse_to_write(aten.copy_.default, [device])
    fits = (
        host.is_contiguous() and host.dtype == device.dtype and host.shape == device.shape and host.device.type == "cpu"
    )
    block = pinned.holding(host) if fits and not (host.is_conj() or host.is_neg()) else None
    stream = stream_for(device._storage.device, [device._storage])
    head = {"storage": device._storage.number, "spec": device._spec.json(), "stream": stream}
    if upload and state.Flags.side_streams:
        note(stream, [device._storage])
    if block:
        kind = Kind.H2D if upload else Kind.D2H
        head |= {"segment": block.segment.number, "offset": host.data_ptr() - block.segment.address}
        if upload and link().judge_socket is not None and not host.is_inference():  # which counts no writes
            head["version"] = host._version  # for finding races: the host may write to it
        block.last = link().post(kind, json_message(kind, head), stream // STREAMS)
        if not non_blocking:
            wait(label, stream, block.last)
    elif upload:
        host = host.detach().to("cpu", device.dtype).expand(device.shape).contiguous().resolve_conj().resolve_neg()
        label = "copy from pageable host memory"
        nbytes = host.numel() * host.dtype.itemsize
        if nbytes > STAGED:  # as on CUDA, through pinned memory
            staging = pinned.staging(host.shape, host.dtype) if nbytes <= PIECE else None
            if staging is not None:
                return copy(device, staging.copy_(host), label=label)
            if nbytes > UNSTAGED:
                for place, part in zip(_halves(device.detach()), _halves(host), strict=True):
                    copy(place, part)
                return target
        before_a_wait()
        link().ask(Kind.UPLOAD, head | {"label": label}, bytes_of(host))
    else:
        host.copy_(read(device, "copy to host"))
    return target


def _to_peer(target: SimTensor, source: SimTensor) -> torch.Tensor:
    """Copy as CUDA does: on the source's stream, between two waits, so that no side sees half a copy."""
    if target.shape != source.shape:
        source = source.expand(target.shape)  # type: ignore[assignment]
    here, there = (stream_for(t._storage.device, []) for t in (source, target))
    stream_waits(here, there)
    dispatch.run(aten.copy_.default, (target, source), {})
    stream_waits(there, here)
    note(there, [target._storage])
    return target


def copy_from(source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False) -> torch.Tensor:
    """``aten::_copy_from``, which C++ calls for copies that it begins itself."""
    return copy(target, source, non_blocking)


def copy_each(targets: list[torch.Tensor], sources: list[torch.Tensor], non_blocking: bool = False) -> None:
    """``_foreach_copy_``: one operation on one device; otherwise copy after copy, as in PyTorch."""
    if len({tensor.device for tensor in (*targets, *sources)}) == 1 or len(targets) != len(sources):
        return dispatch.run(aten._foreach_copy_.default, (targets, sources, non_blocking), {})  # type: ignore[no-any-return]
    for target, source in zip(targets, sources, strict=True):
        aten.copy_.default(target, source, non_blocking)
    return None


dispatch.SPECIAL |= {
    aten._local_scalar_dense.default: item,
    aten._to_copy.default: to_copy,
    aten.copy_.default: copy,
    aten._foreach_copy_.default: copy_each,
}

"""Copies between several devices for ``nn.DataParallel``, which PyTorch has in C++ for CUDA alone."""

import contextlib
import types
from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.parallel.comm

from simgpu.front import state


def apply() -> None:
    """Give PyTorch the functions that ``torch.nn.parallel.comm`` calls."""
    core: Any = torch._C
    core._scatter, core._gather = _scatter, _gather
    core._broadcast, core._broadcast_coalesced = _broadcast, _broadcast_coalesced
    core._scatter_out, core._gather_out, core._broadcast_out = _scatter_out, _gather_out, _broadcast_out
    comm: Any = torch.nn.parallel.comm
    comm.nccl = types.SimpleNamespace(is_available=lambda tensors: False)  # PyTorch then adds tensor by tensor


def _to(tensor: torch.Tensor, index: int) -> torch.Tensor:
    return tensor.to(state.DEVICES[state.index_of(index)], non_blocking=True)


def _scatter(
    tensor: torch.Tensor, devices: Sequence[int], sizes: Sequence[int] | None, dim: int, streams: Any
) -> list[torch.Tensor]:
    chunks = tensor.chunk(len(devices), dim) if sizes is None else tensor.split_with_sizes(list(sizes), dim)
    if sizes is not None and len(sizes) != len(devices):
        raise RuntimeError(
            f"Expected devices and chunk_sizes to be of same length, but got len(devices) = {len(devices)} and "
            f"len(chunk_sizes) = {len(sizes)}"
        )
    copies = []
    for chunk, index, stream in zip(chunks, devices, streams or [None] * len(devices), strict=False):
        with contextlib.nullcontext() if stream is None else stream:
            copies.append(_to(chunk, index))
    return copies


def _scatter_out(tensor: torch.Tensor, out: Sequence[torch.Tensor], dim: int, streams: Any) -> Sequence[torch.Tensor]:
    chunks = tensor.split_with_sizes([part.size(dim) for part in out], dim)
    for part, chunk, stream in zip(out, chunks, streams or [None] * len(out), strict=True):
        with contextlib.nullcontext() if stream is None else stream:
            part.copy_(chunk, non_blocking=True)
    return out


def _gather(tensors: Sequence[torch.Tensor], dim: int, destination: int | None) -> torch.Tensor:
    if destination == -1:
        return torch.cat([tensor.cpu() for tensor in tensors], dim)
    index = state.LOCAL.device if destination is None else destination
    return torch.cat([_to(tensor, index) for tensor in tensors], dim)


def _gather_out(tensors: Sequence[torch.Tensor], out: torch.Tensor, dim: int) -> torch.Tensor:
    for part, tensor in zip(out.split([tensor.size(dim) for tensor in tensors], dim), tensors, strict=True):
        part.copy_(tensor, non_blocking=True)
    return out


def _broadcast(tensor: torch.Tensor, devices: Sequence[int]) -> list[torch.Tensor]:
    return [_to(tensor, index) for index in devices]


def _broadcast_out(tensor: torch.Tensor, out: Sequence[torch.Tensor]) -> Sequence[torch.Tensor]:
    for target in out:
        if target is not tensor:
            target.copy_(tensor, non_blocking=True)
    return out


def _broadcast_coalesced(
    tensors: Sequence[torch.Tensor], devices: Sequence[int], buffer_size: int
) -> list[list[torch.Tensor]]:
    """Return copies for each device; the first device has the tensors themselves."""
    first, *others = devices
    own = [_to(tensor.detach(), first) for tensor in tensors]
    return [own, *([_to(tensor, index) for tensor in own] for index in others)]

"""Page-locked host memory: blocks that the device also maps.

They are used again once their last copy has run, as CUDA's host allocator does.
"""

import bisect
import gc
import mmap
import os
import secrets
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import torch

from simgpu import system
from simgpu.front.link import Link, link, text_of

PAGE = 4096


class Block:
    """A segment of pinned memory.

    Attributes:
        segment: The device's number of it.
        nbytes: Its size.
        address: Its address in this process.
        last: The last copy's command.
        free: Nobody here has a tensor in it.
    """

    def __init__(self, segment: int, memory: mmap.mmap, nbytes: int) -> None:
        self.segment, self.memory, self.nbytes, self.last, self.free = segment, memory, nbytes, 0, False
        self.address = torch.frombuffer(self.memory, dtype=torch.uint8).data_ptr()


class _Blocks:
    """All blocks, by address."""

    def __init__(self) -> None:
        self.all: list[Block] = []
        self.lock = threading.Lock()
        self._done = 0  # the device has finished all commands up to this one

    def take(self, nbytes: int) -> Block | None:
        """Return a block of at least this size: a free one, else a new one; None if none fits."""
        least = -(-nbytes // PAGE) * PAGE
        usual = max(PAGE, 1 << (nbytes - 1).bit_length())
        with self.lock:
            for block in self._unused(lambda size: least <= size <= usual):
                block.free = False
                return block
            made = _make(usual)
            if made is None:
                self._give_back()
                made = _make(usual) or _make(least)
            if made is not None:
                bisect.insort(self.all, made, key=lambda b: b.address)
            return made

    def _give_back(self) -> None:
        """Return every unused block to the device."""
        for block in list(self._unused(lambda size: True)):
            self.all.remove(block)
            link().say("unpin", segment=block.segment)

    def _unused(self, fits: Callable[[int], bool]) -> Iterator[Block]:
        """Return unused blocks of these sizes whose last copy has run; later copies cannot have run before it."""
        for block in sorted((b for b in self.all if b.free and fits(b.nbytes)), key=lambda b: b.last):
            if block.last > self._done:
                if not link().call("query", stream=None, upto=block.last):
                    return
                self._done = block.last
            yield block

    def holding(self, address: int) -> Block | None:
        place = bisect.bisect_right(self.all, address, key=lambda b: b.address) - 1
        if place < 0:
            return None
        block = self.all[place]
        return block if address < block.address + block.nbytes else None


_blocks = _Blocks()


def _make(nbytes: int) -> Block | None:
    """Create a block, if it fits on the device and in this process."""
    connection = link()
    how = _sealed if system.is_unix(connection.socket) else _named
    return how(connection, nbytes)


def _sealed(connection: Link, nbytes: int) -> Block | None:
    segment = connection.call("pin", nbytes=nbytes)
    if segment is None:
        return None
    descriptor = connection.inbox.fds.popleft()
    try:
        return Block(segment, mmap.mmap(descriptor, nbytes), nbytes)  # the mapping keeps its own descriptor
    except OSError:
        connection.say("unpin", segment=segment)
        return None
    finally:
        os.close(descriptor)


def _named(connection: Link, nbytes: int) -> Block | None:
    """Remove the name once both sides have mapped it; if one is killed earlier, the other removes it."""
    name = f"simgpu-{secrets.token_hex(8)}"
    try:
        segment = connection.call("pin", nbytes=nbytes, name=name)
        if segment is None:
            return None
        try:
            return Block(segment, system.map_named(name, nbytes), nbytes)
        except OSError:
            connection.say("unpin", segment=segment)
            return None
    finally:
        system.forget_name(name)


def staging(shape: Any, dtype: torch.dtype) -> torch.Tensor | None:
    """Return an uninitialized, non-empty pinned tensor; None if pinned memory is exhausted."""
    count = torch.Size(shape).numel()
    block = _blocks.take(count * dtype.itemsize)
    if block is None:
        return None
    view = memoryview(block.memory)
    weakref.finalize(view, setattr, block, "free", True)
    return torch.frombuffer(view, dtype=dtype, count=count).view(shape)


def empty(shape: Any, dtype: torch.dtype) -> torch.Tensor:
    """Return an uninitialized pinned tensor.

    Raises:
        torch.OutOfMemoryError: it does not fit, like CUDA's ``cudaHostAlloc``.
    """
    nbytes = torch.Size(shape).numel() * dtype.itemsize
    if not nbytes:
        return torch.empty(shape, dtype=dtype)
    made = staging(shape, dtype)
    if made is None:
        gc.collect()
        made = staging(shape, dtype)
    if made is None:
        raise torch.OutOfMemoryError(
            f"simgpu out of memory. Tried to allocate {text_of(nbytes)} of pinned host memory. "
            f"There are {text_of(link().limits.pinned)} in total, partly used by tensors and by copies that have "
            f"not run yet."
        )
    return made


def holding(host: torch.Tensor) -> Block | None:
    """Return the block that contains a tensor."""
    return _blocks.holding(host.data_ptr()) if _blocks.all else None


def pin(tensor: torch.Tensor, device: Any = None) -> torch.Tensor:
    """As ``torch.Tensor.pin_memory``."""
    return empty(tensor.shape, tensor.dtype).copy_(tensor) if tensor.numel() else tensor

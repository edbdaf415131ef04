"""Page-locked host memory: blocks that the device maps too.

They are used again once their last copy has run, as CUDA's host allocator does.
"""

import bisect
import mmap
import os
import threading
import weakref
from typing import Any

import torch

from simgpu.front.link import link


class Block:
    """A segment of pinned memory.

    Attributes:
        segment: The device's number of it.
        nbytes: Its size, a power of two.
        address: Where it lies in this process.
        last: The last copy's command.
        free: Nobody here has a tensor in it.
    """

    def __init__(self, nbytes: int) -> None:
        connection = link()
        self.segment = connection.call("pin", nbytes=nbytes)
        self.nbytes, self.last, self.free = nbytes, 0, False
        descriptor = connection.inbox.fds.popleft()
        try:
            self.memory = mmap.mmap(descriptor, nbytes)  # it keeps a descriptor of its own
        finally:
            os.close(descriptor)
        self.address = torch.frombuffer(self.memory, dtype=torch.uint8).data_ptr()


class _Blocks:
    """All blocks, and by address."""

    def __init__(self) -> None:
        self.all: list[Block] = []
        self.lock = threading.Lock()

    def take(self, nbytes: int) -> Block:
        with self.lock:
            done = None
            for block in self.all:
                if block.free and block.nbytes == nbytes:
                    done = link().call("query", stream=None, upto=block.last)
                    if done:
                        break
            else:
                block = Block(nbytes)
                bisect.insort(self.all, block, key=lambda b: b.address)
            block.free = False
            return block

    def holding(self, address: int) -> Block | None:
        place = bisect.bisect_right(self.all, address, key=lambda b: b.address) - 1
        if place < 0:
            return None
        block = self.all[place]
        return block if address < block.address + block.nbytes else None


_blocks = _Blocks()


def empty(shape: Any, dtype: torch.dtype) -> torch.Tensor:
    """An uninitialised pinned tensor."""
    count = torch.Size(shape).numel()
    if not count:
        return torch.empty(shape, dtype=dtype)
    block = _blocks.take(max(4096, 1 << (count * dtype.itemsize - 1).bit_length()))
    view = memoryview(block.memory)
    weakref.finalize(view, setattr, block, "free", True)
    return torch.frombuffer(view, dtype=dtype, count=count).view(shape)


def holding(host: torch.Tensor) -> Block | None:
    """The block that a tensor lies in."""
    return _blocks.holding(host.data_ptr()) if _blocks.all else None


def pin(tensor: torch.Tensor, device: Any = None) -> torch.Tensor:
    """As ``torch.Tensor.pin_memory``."""
    return empty(tensor.shape, tensor.dtype).copy_(tensor) if tensor.numel() else tensor

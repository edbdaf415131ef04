"""Page-locked host memory: blocks that the device also maps.

They are used again once their last copy has run, as CUDA's host allocator does.
"""

import bisect
import gc
import itertools
import mmap
import os
import secrets
import threading
import weakref
from collections import defaultdict, deque
from typing import Any

import torch

from simgpu import system
from simgpu.front import state
from simgpu.front.link import Link, link, text_of

PAGE = 4096
SEGMENT = 64 * PAGE
"""Small blocks share segments of this size, because every new segment is a request and three memory maps."""


class Segment:
    """Memory that the device also maps.

    Attributes:
        number: The device's number of it.
        address: Its address in this process.
        used: How many of its bytes are in blocks.
    """

    def __init__(self, number: int, memory: mmap.mmap) -> None:
        self.number, self.memory, self.used = number, memory, 0
        self.address = torch.frombuffer(memory, dtype=torch.uint8).data_ptr()

    @property
    def room(self) -> int:
        """How many of its bytes are in no block."""
        return len(self.memory) - self.used


class Block:
    """A part of a segment: room for one tensor.

    Attributes:
        segment: Its segment.
        nbytes: Its size.
        address: Its address in this process.
        last: The last copy's command.
    """

    def __init__(self, segment: Segment, nbytes: int) -> None:
        self.segment, self.nbytes, self.last = segment, nbytes, 0
        self.address = segment.address + segment.used
        segment.used += nbytes

    def view(self) -> memoryview:
        """Its bytes."""
        start = self.address - self.segment.address
        return memoryview(self.segment.memory)[start : start + self.nbytes]


class _Blocks:
    """All blocks, by address; those without a tensor also by size and last copy."""

    def __init__(self) -> None:
        self.all: list[Block] = []
        self.freed = deque[Block]()  # since `_free` was last updated; any thread adds to it, without the lock
        self._free: defaultdict[int, list[Block]] = defaultdict(list)
        self.lock = threading.Lock()
        self._shared: Segment | None = None  # the segment that the next small blocks come from
        self._done = 0  # the device has finished all commands up to this one

    def take(self, nbytes: int) -> Block | None:
        """Return a block of at least this size: a free one, else a new one; None if none fits."""
        least = -(-nbytes // PAGE) * PAGE
        usual = max(PAGE, 1 << (nbytes - 1).bit_length())
        with self.lock:
            # While there is room, asking the device whether a copy has run would cost more than a new block.
            shared = self._shared is not None and self._shared.room >= usual
            while self.freed:
                block = self.freed.popleft()
                bisect.insort(self._free[block.nbytes], block, key=lambda b: b.last)
            for size in dict.fromkeys((usual, least)):
                free = self._free[size]
                if free and self._first_has_run(free, ask=not shared):
                    return free.pop(0)
            segment = self._shared if shared else self._segment(usual, least)
            if segment is None:
                return None
            made = Block(segment, min(usual, segment.room))
            bisect.insort(self.all, made, key=lambda b: b.address)
            return made

    def _segment(self, usual: int, least: int) -> Segment | None:
        """Return a new segment with room for a block; None if none fits."""
        if usual <= SEGMENT // 4 and (made := _make(SEGMENT)) is not None:
            self._shared = made
            return made
        made = _make(usual)
        if made is None:
            self._give_back()
            made = _make(usual) or _make(least)
        return made

    def _give_back(self) -> None:
        """Return every segment without a used block to the device."""
        oldest_first = sorted(itertools.chain(*self._free.values()), key=lambda block: block.last)
        unused = set(itertools.takewhile(self._has_run, oldest_first))
        used = {block.segment for block in self.all if block not in unused}
        for segment in {block.segment for block in unused} - used:
            link().say("unpin", segment=segment.number)
            if segment is self._shared:
                self._shared = None
        self.all = [block for block in self.all if block.segment in used]
        for free in self._free.values():
            free[:] = [block for block in free if block.segment in used]

    def _first_has_run(self, free: list[Block], ask: bool) -> bool:
        """Whether the last copy of the first of these blocks has run; without ``ask``, whether this is known."""
        if ask and len(free) > 1 and not self._has_run(free[0], ask=False):
            self._has_run(free[len(free) // 2])  # one yes also answers for all blocks before it
        return self._has_run(free[0], ask)

    def _has_run(self, block: Block, ask: bool = True) -> bool:
        """Whether a block's last copy has run; without ``ask``, whether this is known."""
        if block.last > self._done and ask and link().call("query", stream=None, upto=block.last):
            self._done = block.last
        return block.last <= self._done

    def holding(self, address: int) -> Block | None:
        place = bisect.bisect_right(self.all, address, key=lambda b: b.address) - 1
        if place < 0:
            return None
        block = self.all[place]
        return block if address < block.address + block.nbytes else None


_blocks = _Blocks()


def _make(nbytes: int) -> Segment | None:
    """Create a segment, if it fits on the device and in this process."""
    connection = link()
    how = _sealed if system.is_unix(connection.socket) else _named
    return how(connection, nbytes)


def _sealed(connection: Link, nbytes: int) -> Segment | None:
    segment = connection.call("pin", nbytes=nbytes)
    if segment is None:
        return None
    descriptor = connection.inbox.fds.popleft()
    try:
        return Segment(segment, mmap.mmap(descriptor, nbytes))  # the mapping keeps its own descriptor
    except OSError:
        connection.say("unpin", segment=segment)
        return None
    finally:
        os.close(descriptor)


def _named(connection: Link, nbytes: int) -> Segment | None:
    """Remove the name once both sides have mapped it; if one is killed earlier, the other removes it."""
    name = f"simgpu-{secrets.token_hex(8)}"
    try:
        segment = connection.call("pin", nbytes=nbytes, name=name)
        if segment is None:
            return None
        try:
            return Segment(segment, system.map_named(name, nbytes))
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
    view = block.view()
    weakref.finalize(view, _blocks.freed.append, block)
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
            f"{state.IN_ERRORS} out of memory. Tried to allocate {text_of(nbytes)} of pinned host memory. "
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

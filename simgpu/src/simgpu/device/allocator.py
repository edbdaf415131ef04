"""A caching allocator with addresses, like PyTorch's on CUDA: blocks of segments, kept for their stream.

Sizes and rules follow c10/cuda/CUDACachingAllocator.cpp: the smallest block has 512 bytes, requests up to 1 MiB come
from segments of 2 MiB, up to 10 MiB from segments of 20 MiB, and larger ones are rounded to 2 MiB. Unlike PyTorch's
allocator, a request fails only if it does not fit in addition to what is *allocated*: fragmentation never exhausts the
device.
"""

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from simgpu.device.counts import BLOCKS, SEGMENTS, Counts
from simgpu.wire import rounded

SMALL, SMALL_SEGMENT = 1 << 20, 2 << 20
MEDIUM, MEDIUM_SEGMENT, LARGE_ROUND = 10 << 20, 20 << 20, 2 << 20


class OutOfMemory(Exception):
    """The device is full."""


@dataclass(eq=False, slots=True)
class Block:
    """A piece of a segment.

    Attributes:
        address: Its beginning, in bytes.
        size: How many bytes.
        stream: The stream of its pool.
        segment: The address of its segment.
        free: Whether it may be allocated.
        before: The previous block in its segment.
        after: The next block in its segment.
        stale: The storages that were here when the block was freed and that another stream may still read.
    """

    address: int
    size: int
    stream: int
    segment: int
    small: bool
    free: bool = True
    before: "Block | None" = None
    after: "Block | None" = None
    stale: Sequence[object] = ()


@dataclass(slots=True)
class Usage:
    """Bytes of one device, now and at most, and counts.

    Attributes:
        made: Bytes allocated since the judge began a call, and still allocated. Freeing older memory does not reduce
            them. Older memory counts from the moment at which the call writes to it, so that allocating it before the
            call saves nothing.
        most_made: The maximum of ``made``.
        older: Bytes that were allocated when the judge's call began, at most one full device; the call has the whole
            device in addition.
    """

    allocated: int = 0
    peak_allocated: int = 0
    made: int = 0
    most_made: int = 0
    reserved: int = 0
    peak_reserved: int = 0
    allocations: int = 0
    frees: int = 0
    older: int = 0
    segments: int = 0
    retries: int = 0
    out_of_memory: int = 0


class Pool:
    """The free blocks of a stream, the smallest one first."""

    def __init__(self) -> None:
        self._blocks: list[tuple[int, int, Block]] = []

    def __iter__(self) -> Iterator[Block]:
        return (block for _, _, block in self._blocks)

    def add(self, block: Block) -> None:
        """Add a block."""
        insort(self._blocks, (block.size, block.address, block))  # no two have the same address

    def remove(self, block: Block) -> None:
        """Remove a block."""
        del self._blocks[bisect_left(self._blocks, (block.size, block.address, block))]

    def take(self, wanted: int) -> Block | None:
        """Remove and return the smallest block of at least this many bytes; None if there is none."""
        blocks = self._blocks
        place = bisect_left(blocks, (wanted,))
        return blocks.pop(place)[2] if place < len(blocks) else None


class Allocator:
    """The memory of one device."""

    def __init__(self, device: int, size: int) -> None:
        self.size, self.usage, self.counts, self.calls = size, Usage(), Counts(), 0
        self._top = 0x7F00_0000_0000 + (device << 40)
        self._pools: dict[tuple[int, bool], Pool] = {}

    def malloc(self, nbytes: int, stream: int) -> Block:
        """Allocate a block from a stream's pool.

        Returns:
            The block, of at least this many bytes.

        Raises:
            OutOfMemory: it does not fit next to the memory allocated since the judge's call began.
        """
        wanted, usage = rounded(nbytes), self.usage
        if usage.allocated - usage.older + wanted > self.size:
            usage.out_of_memory += 1
            raise OutOfMemory
        small = wanted <= SMALL
        pool = self._pools.get((stream, small))
        if pool is None:
            pool = self._pools[stream, small] = Pool()
        block = pool.take(wanted) or self._segment(wanted, stream, small)
        if block.size - wanted >= 512 if small else block.size - wanted > SMALL:
            rest = Block(
                block.address + wanted, block.size - wanted, stream, block.segment, small, True, block, block.after
            )
            if rest.after is not None:
                rest.after.before = rest
            block.size, block.after = wanted, rest
            rest.stale = block.stale
            pool.add(rest)
        block.free = False
        usage.allocated += wanted
        if usage.allocated > usage.peak_allocated:
            usage.peak_allocated = usage.allocated
        usage.made += wanted
        if usage.made > usage.most_made:
            usage.most_made = usage.made
        usage.allocations += 1
        self.counts.take(small, BLOCKS, (wanted, nbytes, 1))
        return block

    def begin(self) -> None:
        """Begin a call for the judge's count, with a whole device, whatever else the notebook uses."""
        self.calls += 1
        self.usage.older = min(self.usage.allocated, self.size)
        self.usage.made = self.usage.most_made = 0

    def use_again(self, nbytes: int) -> None:
        """Count an earlier block as part of this call."""
        self.usage.made += rounded(nbytes)
        self.usage.most_made = max(self.usage.most_made, self.usage.made)

    def forget(self, nbytes: int) -> None:
        """Count a block as freed, whether or not it may be allocated again yet."""
        size = rounded(nbytes)
        self.usage.allocated -= size
        self.usage.frees += 1
        self.counts.give_back(size <= SMALL, BLOCKS, (size, nbytes, 1))

    def unmake(self, nbytes: int, call: int) -> None:
        """Also count a block as freed for the judge; ``call``: the one in which it was made."""
        if call == self.calls:
            self.usage.made -= rounded(nbytes)

    def free(self, block: Block) -> None:
        """Return a block to its stream's pool, joined with free neighbors."""
        pool = self._pools[block.stream, block.small]
        for other in (block.before, block.after):
            if other is not None and other.free:
                pool.remove(other)
                first, second = (other, block) if other is block.before else (block, other)
                first.size += second.size
                first.after = second.after
                if first.after is not None:
                    first.after.before = first
                if second.stale:
                    first.stale = [*first.stale, *(s for s in second.stale if s not in first.stale)]
                block = first
        block.free = True
        pool.add(block)

    def empty_cache(self) -> None:
        """Release segments that are completely free."""
        for pool in self._pools.values():
            for block in [b for b in pool if b.before is None and b.after is None]:
                pool.remove(block)
                self.usage.reserved -= block.size
                self.usage.segments -= 1
                self.counts.give_back(block.small, SEGMENTS, (block.size, 1))

    def _segment(self, wanted: int, stream: int, small: bool) -> Block:
        usual = (
            SMALL_SEGMENT if small else MEDIUM_SEGMENT if wanted < MEDIUM else -(-wanted // LARGE_ROUND) * LARGE_ROUND
        )
        if self.usage.reserved + usual > self.size:
            self.usage.retries += 1
            self.empty_cache()
        size = usual if self.usage.reserved + usual <= self.size else wanted
        block = Block(self._top, size, stream, self._top, small)
        self._top += -(-size // LARGE_ROUND) * LARGE_ROUND
        usage = self.usage
        usage.reserved += size
        usage.peak_reserved = max(usage.peak_reserved, usage.reserved)
        usage.segments += 1
        self.counts.take(small, SEGMENTS, (size, 1))
        return block

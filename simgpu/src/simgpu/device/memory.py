"""Storages on the device: counted when the command that makes them arrives, filled when it runs.

Who reads too early finds poison, where a GPU shows whatever lay there. A block that is freed while another stream
may still
read it is overwritten when its own stream gets it again, unless ``record_stream`` was called.
"""

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import torch

from simgpu.device.allocator import Allocator, Block, OutOfMemory, Usage
from simgpu.device.log import Log
from simgpu.device.queues import POLLS, Queues
from simgpu.device.storage import Storage
from simgpu.device.tape import Tape
from simgpu.frames import BadMessage
from simgpu.limits import Limits
from simgpu.wire import FIRST_OF_JUDGE, Spec, rounded

MARK = 113
"""What unwritten integers hold; unwritten floats are NaN and unwritten bools True."""


class Unmet(Protocol):
    """Something that other ranks take part in."""

    @property
    def joined(self) -> bool:
        """Whether nobody has to come any more."""


class Memory:
    """All storages of the process."""

    def __init__(self, limits: Limits, log: Log, queues: Queues) -> None:
        self.limits, self.log, self.queues = limits, log, queues
        self.storages: dict[int, Storage] = {}
        self.allocators = [Allocator(d, limits.memory) for d in range(limits.devices)]
        self.tape = Tape(recording=False)
        self._filling = threading.Lock()
        self._waiting: list[tuple[Block, int, dict[int, int]]] = []
        self.holding_up: Callable[[Iterable[int]], Sequence[Unmet]] = lambda streams: ()
        # Freed, and on the way to ranks that have not come: bytes by device and call.
        self._sent: dict[tuple[Unmet, ...], Counter[tuple[int, int]]] = {}
        self._asked, self._launched = 0, 0  # allocations in a row that looked at other streams, behind which command

    def __getitem__(self, number: int) -> Storage:
        """Raises BadMessage for a storage that is not there."""
        try:
            return self.storages[number]
        except (KeyError, TypeError):
            raise BadMessage(f"no storage {number!r}"[:80]) from None

    def allocate(self, number: int, spec: Spec | None, stream: int, by_judge: bool = False) -> Storage:
        """A new storage; its block too, if its layout is known.

        Raises:
            BadMessage: the number is taken, or there are too many.
            OutOfMemory: the device is full; the storage is there all the same, and holds nothing.
        """
        if type(number) is not int or number in self.storages or (number >= FIRST_OF_JUDGE) != by_judge:
            raise BadMessage("a storage's number")
        if len(self.storages) >= self.limits.storages:
            raise BadMessage("too many storages")
        self.queues.stream(stream)
        storage = self.storages[number] = Storage(number, stream)
        if spec is not None:
            self.place(storage, spec)
        return storage

    def place(self, storage: Storage, spec: Spec) -> None:
        """Find a block for a storage whose layout is known now."""
        storage.spec = spec
        if not spec.nbytes:
            return
        with self.queues.lock:
            self._collect()
            self._ask_again()
            self._deliver()
            allocator = self.allocators[storage.device]
            block = storage.block = allocator.malloc(spec.nbytes, storage.home)
            storage.call = allocator.calls
            begin, end = block.address, block.address + block.size
            stale = [old for old in self._in_use(block) if old.extent[0] < end and begin < old.extent[1]]
            block.stale = []
            if block.after is not None:  # the rest of a larger block knows all that lay in it
                block.after.stale = [old for old in self._in_use(block.after) if old not in stale]
        for old in stale:
            self.queues.enqueue(storage.home, "", lambda old=old: self.spoil(old), operation=False)  # type: ignore[misc]

    def written(self, storages: Iterable[Storage]) -> None:
        """Count what is written as memory of the judge's call, however old it is; not what the judge has put there.

        What the front end writes, nobody may look at: a look is for the judge's own numbers.
        """
        for storage in storages:
            storage.look = False
            self.tape.will_write(storage)
            allocator = self.allocators[storage.device]
            if storage.block is not None and storage.call != allocator.calls and storage.number < FIRST_OF_JUDGE:
                with self.queues.lock:
                    storage.call = allocator.calls
                    allocator.use_again(storage.nbytes)

    def _in_use(self, block: Block) -> list[Storage]:
        """What was freed here and may still be read by a stream that nobody recorded."""
        stale = [s for s in block.stale if isinstance(s, Storage)]
        return [s for s in stale if any(not self.queues.passed(u, n) for u, n in s.at_risk.items())]

    def free(self, number: int) -> None:
        """The front end has let go.

        The block goes back at once to its own stream, or when recorded streams are done.
        """
        storage = self[number]
        self.tape.free(storage)
        del self.storages[number]
        if storage.block is None:
            return
        with self.queues.lock:
            block, allocator = storage.block, self.allocators[storage.device]
            allocator.forget(storage.nbytes)
            if unmet := self.holding_up({storage.home, *storage.users, *storage.recorded}):
                self._sent.setdefault(tuple(unmet), Counter())[storage.device, storage.call] += rounded(storage.nbytes)
            else:
                allocator.unmake(storage.nbytes, storage.call)
            streams = self.queues.streams
            recorded = {s: streams[s].last for s in storage.recorded if s in streams and s != storage.home}
            storage.at_risk = {
                u: streams[u].last for u in storage.users - storage.recorded if not self.queues.passed(u, 1 << 62)
            }
            if storage.at_risk:
                storage.extent = block.address, block.address + block.size
                block.stale = [storage]
            if any(not self.queues.passed(s, n) for s, n in recorded.items()):
                self._waiting.append((block, storage.device, recorded))
            else:
                allocator.free(block)

    def usage(self, device: int) -> Usage:
        """Look at the memory of a device.

        For the judge, what was freed counts as long as work that reads it cannot run before another rank comes: a
        message that nobody has received yet is no place to keep things.

        Returns:
            Bytes, now and at most.
        """
        self._deliver()
        return self.allocators[device].usage

    def _deliver(self) -> None:
        for unmet in list(self._sent):
            if all(meeting.joined for meeting in unmet):
                for (device, call), nbytes in self._sent.pop(unmet).items():
                    self.allocators[device].unmake(nbytes, call)

    def _collect(self) -> None:
        """Blocks of ``record_stream`` whose streams have come far enough may be given out again."""
        for waiting in list(self._waiting):
            block, device, recorded = waiting
            if all(self.queues.passed(s, n) for s, n in recorded.items()):
                self._waiting.remove(waiting)
                self.allocators[device].free(block)

    def _ask_again(self) -> None:
        """An allocation, as on CUDA, asks how far the streams are that a freed block waits for.

        Who allocates a hundred times with nothing launched between waits for them.
        """
        queues = self.queues
        if self._launched != queues.number:
            self._asked, self._launched = 0, queues.number
        self._asked += bool(self._waiting)
        if self._asked == POLLS and queues.gates.lazy:
            targets: dict[int, int] = {}
            for _, _, recorded in self._waiting:
                targets |= {stream: max(upto, targets.get(stream, 0)) for stream, upto in recorded.items()}
            queues.host_waits(object(), "wait", "memory that another stream uses", targets, again=True)

    # ---- values; these run in the streams' threads

    def view(self, storage: Storage, spec: Spec, overwritten: bool = False) -> torch.Tensor:
        """A tensor on the storage's memory.

        Args:
            storage: Where it lies.
            spec: How it lies there.
            overwritten: Every element is written before any is read, so that poison may be left out if it is all
                there is.

        Returns:
            A tensor of the layout's sizes that shares the storage's memory.

        Raises:
            OutOfMemory: the storage did not fit when it was allocated.
            BadMessage: the layout goes beyond the storage.
        """
        own = storage.spec
        if own is None:
            raise BadMessage("a storage that has no layout yet")
        tensor = storage.tensor
        if tensor is None:
            tensor = self._fill(storage, own, overwritten and spec.dense and spec.nbytes == own.nbytes)
        if spec == own:
            return tensor
        if spec.nbytes > own.nbytes:
            raise BadMessage(f"a view of {spec.nbytes} bytes in a storage of {own.nbytes}")
        if spec.dtype != own.dtype:
            tensor = torch.empty(0, dtype=spec.dtype).set_(tensor.untyped_storage())  # type: ignore[call-overload]
        return tensor.as_strided(spec.size, spec.stride, spec.offset)

    def _fill(self, storage: Storage, own: Spec, overwritten: bool) -> torch.Tensor:
        with self._filling:
            if storage.tensor is None:
                if storage.block is None and own.nbytes and storage.number < FIRST_OF_JUDGE:
                    raise OutOfMemory("its memory could not be allocated")
                base = torch.empty(own.extent, dtype=own.dtype)
                if not overwritten:
                    poison(base)
                storage.tensor = base.as_strided(own.size, own.stride, own.offset)
            return storage.tensor

    def store(self, storage: Storage, value: torch.Tensor, taken: set[int]) -> None:
        """Put a kernel's result into a storage, without a copy where that is possible.

        Args:
            storage: Where it goes.
            value: The result.
            taken: Addresses of memory that belongs to others; this result's is added if it was kept.

        Raises:
            BadMessage: it is not what the front end foretold.
            OutOfMemory: the storage did not fit when it was allocated.
        """
        own = storage.spec
        if own is None or value.dtype != own.dtype or tuple(value.shape) != own.size:
            raise BadMessage(
                f"the front end foretold {own and (own.dtype, own.size)}, and it is {value.dtype} {tuple(value.shape)}"
            )
        if value.is_conj() or value.is_neg():
            value = value.resolve_conj().resolve_neg()
        with self._filling:
            if storage.tensor is None and storage.block is None and own.nbytes:
                raise OutOfMemory("its memory could not be allocated")
            place = value.untyped_storage()
            fits = not own.offset and not value.storage_offset() and place.nbytes() >= own.nbytes
            if (
                storage.tensor is None
                and fits
                and place.data_ptr() not in taken
                and (value.stride() == own.stride or value.numel() < 2)
            ):
                taken.add(place.data_ptr())
                storage.tensor = value if value.stride() == own.stride else value.as_strided(own.size, own.stride)
                return
            if storage.tensor is None:
                storage.tensor = torch.empty(own.extent, dtype=own.dtype).as_strided(own.size, own.stride, own.offset)
        storage.tensor.copy_(value)

    def spoil(self, storage: Storage) -> None:
        """Another allocation has this memory now."""
        if storage.tensor is not None:
            poison(torch.empty(0, dtype=storage.tensor.dtype).set_(storage.tensor.untyped_storage()))  # type: ignore[call-overload]


def poison(tensor: torch.Tensor) -> None:
    """What memory holds that nobody has written: a value that shows."""
    if tensor.is_floating_point() or tensor.is_complex():
        tensor.fill_(torch.nan)
    else:
        tensor.fill_(True if tensor.dtype == torch.bool else MARK)

"""Storages on the device, as the keeper counts them; the kernel process has their values (:mod:`.values`).

A block that is freed while another stream may still read it is overwritten when its own stream gets it again, unless
``record_stream`` was called.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from simgpu.device.allocator import Allocator, Block, Usage
from simgpu.device.channel import Channel
from simgpu.device.kernels import Kernels
from simgpu.device.log import Log
from simgpu.device.queues import POLLS, Queues
from simgpu.device.replay_tape import Tape
from simgpu.device.storage import Storage
from simgpu.frames import BadMessage
from simgpu.limits import Limits
from simgpu.wire import FIRST_OF_JUDGE, STREAMS, Spec, rounded


class Unmet(Protocol):
    """A call that other ranks take part in."""

    @property
    def joined(self) -> bool:
        """Whether all ranks have arrived."""


class Memory:
    """All storages of the process."""

    def __init__(self, limits: Limits, log: Log, queues: Queues, kernels: Kernels) -> None:
        self.limits, self.log, self.queues, self.kernels = limits, log, queues, kernels
        self.storages: dict[int, Storage] = {}
        self.allocators = [Allocator(d, limits.memory) for d in range(limits.devices)]
        self.tape = Tape(recording=False)
        self._waiting: list[tuple[Block, int, dict[int, int]]] = []
        self.holding_up: Callable[[Iterable[int]], Sequence[Unmet]] = lambda streams: ()
        # Freed, but still being sent to ranks that have not arrived: bytes by device and call.
        self._sent: dict[tuple[Unmet, ...], Counter[tuple[int, int]]] = {}
        # consecutive allocations that searched other streams, and the command before them
        self._asked, self._launched = 0, 0

    def __getitem__(self, number: int) -> Storage:
        """Return a storage. Raises BadMessage if it does not exist."""
        try:
            return self.storages[number]
        except (KeyError, TypeError):
            raise BadMessage(f"there is no storage {number!r}"[:80]) from None

    def of(self, numbers: Sequence[int]) -> list[Storage]:
        """Return several storages.

        Raises:
            BadMessage: one is not there.
        """
        storages = self.storages
        try:
            return [storages[number] for number in numbers]
        except KeyError as error:
            raise BadMessage(f"no storage {error}"[:80]) from None

    def allocate(self, number: int, spec: Spec | None, stream: int, by_judge: bool = False) -> Storage:
        """Allocate a storage, and its block if its layout is known.

        Raises:
            BadMessage: the number is taken, or there are too many.
            OutOfMemory: the device is full; the storage is there all the same, and holds nothing.
        """
        if type(number) is not int or number in self.storages or (number >= FIRST_OF_JUDGE) != by_judge:
            raise BadMessage("invalid storage number")
        if len(self.storages) >= self.limits.storages:
            raise BadMessage("too many storages")
        self.queues.stream(stream)
        storage = self.storages[number] = Storage(number, stream, self.kernels.thing())
        if spec is not None:
            self.place(storage, spec)
        return storage

    def place(self, storage: Storage, spec: Spec) -> None:
        """Find a block for a storage whose layout is known now."""
        storage.spec = spec
        if not spec.nbytes:
            return
        with self.queues.lock:
            if self._waiting:
                self._collect()
                self._ask_again()
            if self._sent:
                self._deliver()
            allocator = self.allocators[storage.device]
            block = storage.block = allocator.malloc(spec.nbytes, storage.home)
            storage.call = allocator.calls
            if not block.stale and (block.after is None or not block.after.stale):
                return
            stale: list[Storage] = []
            if block.stale:
                begin, end = block.address, block.address + block.size
                stale = [old for old in self._in_use(block) if old.extent[0] < end and begin < old.extent[1]]
                block.stale = ()
            # the rest of a larger block knows everything that was in it
            if block.after is not None and block.after.stale:
                block.after.stale = [old for old in self._in_use(block.after) if old not in stale]
        for old in stale:
            self._spoil(old, storage.home)

    def _spoil(self, old: Storage, stream: int) -> None:
        """Note that another allocation of a stream now has this memory."""

        def run(at: Channel) -> None:
            if old.cell.known:
                at.ask("spoil", [old], storage=old.cell.number)

        self.queues.enqueue(stream, "", run, operation=False)

    def written(self, storages: Iterable[Storage]) -> None:
        """Count written memory for the judge's call, however old it is, except what the judge put there.

        A storage that the front end writes can no longer be looked at: a look is for the judge's own numbers.
        """
        will_write = self.tape.will_write if self.tape.recording or self.tape.found else None
        for storage in storages:
            storage.shown = None
            if will_write is not None:
                will_write(storage)
            allocator = self.allocators[storage.home // STREAMS]
            if storage.block is not None and storage.call != allocator.calls and storage.number < FIRST_OF_JUDGE:
                with self.queues.lock:
                    storage.call = allocator.calls
                    allocator.use_again(storage.nbytes)

    def _in_use(self, block: Block) -> list[Storage]:
        """Memory that was freed here while an unrecorded stream may still read it."""
        stale = [s for s in block.stale if isinstance(s, Storage)]
        return [s for s in stale if any(not self.queues.passed(u, n) for u, n in s.at_risk)]

    def free(self, number: int) -> None:
        """Free a storage for the front end.

        The block goes back at once to its own stream, or when recorded streams are done.
        """
        storage = self[number]
        self.tape.free(storage)
        del self.storages[number]
        if storage.block is None:
            return
        with self.queues.lock:
            block, device, nbytes = storage.block, storage.device, storage.nbytes
            allocator = self.allocators[device]
            allocator.forget(nbytes)
            if unmet := self.holding_up({storage.home, *storage.users, *storage.recorded}):
                self._sent.setdefault(tuple(unmet), Counter())[device, storage.call] += rounded(nbytes)
            else:
                allocator.unmake(nbytes, storage.call)
            if not storage.users and not storage.recorded:
                allocator.free(block)
                return
            streams = self.queues.streams
            recorded = {s: streams[s].last for s in storage.recorded if s in streams and s != storage.home}
            storage.at_risk = tuple(
                (u, streams[u].last) for u in storage.users - storage.recorded if not self.queues.passed(u, 1 << 62)
            )
            if storage.at_risk:
                storage.extent = block.address, block.address + block.size
                block.stale = [storage]
            if any(not self.queues.passed(s, n) for s, n in recorded.items()):
                self._waiting.append((block, device, recorded))
            else:
                allocator.free(block)

    def usage(self, device: int) -> Usage:
        """Return the memory use of a device.

        For the judge, freed memory still counts while work that reads it waits for another rank: a message that is not
        received yet must not serve as storage.

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
        """Free blocks of ``record_stream`` whose streams have passed the recorded work."""
        for waiting in list(self._waiting):
            block, device, recorded = waiting
            if all(self.queues.passed(s, n) for s, n in recorded.items()):
                self._waiting.remove(waiting)
                self.allocators[device].free(block)

    def _ask_again(self) -> None:
        """Check, as CUDA does at an allocation, how far the streams are that a freed block waits for.

        The hundredth allocation in a row without a launch waits for them.
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

"""Gates: which commands of the streams may run, what holds them back, and what a wait opens."""

import threading
from collections.abc import Iterable, Mapping

from simgpu.device.commands import Command, Queue

ALL = float("inf")


class Gates:
    """The gates of all streams.

    There are two kinds.  One holds a whole stream: its commands run up to `allowed`.  The other holds only commands of
    some operations or storages: waits have opened it up to `opened`.  A command runs if neither kind holds it.

    Args:
        streams: All that there are, by number; new ones come.
        lock: Theirs.
        devices: How many there are.

    Attributes:
        lazy: Whether a wait of the host opens what it needs.
    """

    def __init__(self, streams: Mapping[int, Queue], lock: threading.RLock, devices: int) -> None:  # type: ignore[valid-type]
        self._streams, self._lock, self._count = streams, lock, devices
        self._devices: set[int] = set()
        self._operations: frozenset[str] = frozenset()
        self._storages: frozenset[int] = frozenset()
        self._some = False  # whether either of them has an entry
        self.lazy = False

    def allowed(self, device: int) -> float:
        """Up to which command a stream that is new on a device may run."""
        return 0 if device in self._devices else ALL

    def is_open(self, stream: Queue, command: Command) -> bool:
        """Whether no gate holds a command of a stream."""
        number = command.number
        return number <= stream.allowed and (not self._some or number <= stream.opened or not self._holds(command))

    def _holds(self, command: Command) -> bool:
        """Whether a gate for its kind of operation, or for a storage of its, holds it until somebody waits for it."""
        return command.name in self._operations or not self._storages.isdisjoint(command.touches)

    def _held(self) -> set[int]:
        """The numbers of the commands that gates hold now."""
        return {c.number for s in self._streams.values() for c in s.queue if c.name and not self.is_open(s, c)}

    def open_for(self, targets: dict[int, int]) -> list[int]:
        """Open what a wait needs for each stream to come to its number.

        Returns:
            The commands that are no longer held.
        """
        before = self._held()
        for stream, upto in targets.items():
            self.open(stream, upto)
        return sorted(before - self._held())

    def open(self, stream: int, upto: int) -> None:
        """Let a stream run up to a command, and the others as far as that needs."""
        seen: set[tuple[int, int]] = set()
        left = [(stream, upto)]
        while left:
            number, most = left.pop()
            if (number, most) in seen or number not in self._streams:
                continue
            seen.add((number, most))
            queue = self._streams[number]
            queue.allowed = max(queue.allowed, most)
            queue.opened = max(queue.opened, most)
            left += [n for c in queue.queue if c.number <= most and c.needs for n in c.needs()]

    def hold(self, stream: int | None, device: int | None) -> None:
        """Hold what has not started: of one stream, of one device, or of all."""
        with self._lock:
            self.lazy = False
            if stream is None:
                self._devices |= set(range(self._count)) if device is None else {device}
            for one in self._meant(stream, device):
                one.allowed = float(one.started)

    def hold_until_waited_for(self) -> None:
        """All is held; a wait of the host opens just what it needs."""
        self.hold(None, None)
        self.lazy = True

    def hold_operations(self, names: Iterable[str], lazy: bool) -> None:
        """Hold commands of these names, and everything after them."""
        with self._lock:
            self._operations, self.lazy = frozenset(names), lazy
            self._begin_gates()

    def hold_storages(self, numbers: Iterable[int]) -> None:
        """Hold what touches one of these from now on, and everything after it, until the host waits for it."""
        with self._lock:
            self._storages, self.lazy = frozenset(numbers), True
            self._begin_gates()

    def _begin_gates(self) -> None:
        self._some = bool(self._operations or self._storages)
        for one in self._streams.values():
            one.opened = one.last

    def release(self, stream: int | None, device: int | None, upto: int | None) -> None:
        """Open again; ``upto`` a command's number."""
        with self._lock:
            if upto is None:
                if device is not None:
                    self._devices.discard(device)
                elif stream is None:
                    self._devices, self.lazy = set(), False
                    self._operations, self._storages, self._some = frozenset(), frozenset(), False
            for one in self._meant(stream, device):
                one.allowed = max(one.allowed, upto) if upto is not None else ALL
            for one in self._streams.values():
                one.wake()

    def _meant(self, stream: int | None, device: int | None) -> list[Queue]:
        return [s for s in self._streams.values() if stream in (None, s.number) and device in (None, s.device)]

"""Deadlocks: which meetings of a process group can still happen if its ranks send nothing more.

All streams are run to their ends in thought, with every gate open. A stream that does not come to its end is stuck.
"""

from collections.abc import Sequence

from simgpu.device.commands import Command
from simgpu.device.gates import ALL
from simgpu.device.meetings import Meeting
from simgpu.device.queues import Queues
from simgpu.wire import BATCH

HINT = (
    "All ranks of a group must call its collectives in the same order, also across groups, and each send needs a recv. "
    f"A send and a recv that wait for each other belong in one {BATCH}"
)


class Stuck:
    """The places where the streams would stop.

    Attributes:
        meetings: Those of the world whose parts are first in streams that are stuck.
    """

    def __init__(self, queues: Queues, meetings: Sequence[Meeting]) -> None:
        self._queues = queues
        self._queue = {s.number: list(s.queue) for s in queues.streams.values() if s.queue}
        self._at = dict.fromkeys(self._queue, 0)
        self._meetings: dict[Command, list[Meeting]] = {}
        for meeting in meetings:
            for part in meeting.parts.values():
                self._meetings.setdefault(part.command, []).append(meeting)
        self._place = {c: (s, i) for s, q in self._queue.items() for i, c in enumerate(q) if c in self._meetings}
        while any(self._advance(stream) for stream in self._queue):
            pass
        heads = [self._queue[s][at] for s, at in self._at.items() if at < len(self._queue[s])]
        found = [m for command in heads for m in self._meetings.get(command, ()) if not self._happens(m)]
        self.meetings: list[Meeting] = list(dict.fromkeys(found))

    def holds(self, targets: dict[int, int]) -> bool:
        """Whether a wait for these streams and commands would never be answered."""
        return any(self._next(stream) <= upto for stream, upto in targets.items())

    def sentence(self) -> str:
        """Return a sentence: which ranks wait in which call, and which have not arrived."""
        waiting: dict[str, None] = {}
        missing: dict[str, None] = {}
        for meeting in self.meetings:
            for rank, number in enumerate(meeting.members):
                part = meeting.parts.get(rank)
                if part is None:
                    missing[f"rank {number} has not called {meeting.what(rank)}"] = None
                elif self._has_come(part.command):
                    batch = "a batch with " if part.command.name == BATCH else ""
                    waiting[f"rank {number} waits in {batch}{meeting.what(rank)}"] = None
        return "; ".join([*waiting, *missing])

    def _advance(self, stream: int) -> bool:
        queue, began = self._queue[stream], self._at[stream]
        while self._at[stream] < len(queue) and self._passes(queue[self._at[stream]]):
            self._at[stream] += 1
        return self._at[stream] > began

    def _passes(self, command: Command) -> bool:
        if command in self._meetings:
            return all(self._happens(meeting) for meeting in self._meetings[command])
        # it belongs to another process group: a rank may still arrive
        if command.needs is None or command.name != "stream wait":
            return True
        return all(self._next(stream) > upto for stream, upto in command.needs())

    def _happens(self, meeting: Meeting) -> bool:
        if meeting.over:
            return True
        return len(meeting.parts) == meeting.size and all(self._has_come(p.command) for p in meeting.parts.values())

    def _has_come(self, command: Command) -> bool:
        stream, place = self._place.get(command, (None, 0))
        return stream is None or place <= self._at[stream]

    def _next(self, stream: int) -> float:
        """Return the number of the first command that a stream cannot pass."""
        return next((c.number for c in self._queue.get(stream, ())[self._at.get(stream, 0) :] if c.name), ALL)

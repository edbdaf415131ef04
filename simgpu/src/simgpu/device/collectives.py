"""Collectives: each rank's part is a command in a stream of its device; the parts meet like NCCL's kernels.

A part runs when the parts of all ranks are at the head of their streams and no gate holds them. For the first part, the
kernel process reads all inputs and reduces them in the order of ranks (:mod:`.reductions`), so the result is the same
every time. A batch of sends and receives is one command with a part in each of several meetings, as an NCCL group is
one kernel: none of them delays another.

If a meeting can no longer happen, each part that has arrived fails with an error, where NCCL hangs: see
:mod:`.deadlocks`.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from simgpu.device.channel import Channel
from simgpu.device.commands import Command
from simgpu.device.deadlocks import HINT, Stuck
from simgpu.device.meetings import Meeting, Part, Place
from simgpu.device.memory import Memory
from simgpu.device.queues import Queues
from simgpu.device.reductions import REDUCTIONS
from simgpu.frames import BadMessage
from simgpu.wire import BATCH, STREAMS, Spec

OPERATIONS = frozenset(
    {"all_reduce", "broadcast", "all_gather", "reduce_scatter", "reduce", "gather", "scatter", "all_to_all", "send"}
)
MOST_OF_NAME, MOST_OF_BATCH = 200, 4096


def parts_of(head: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of one command.

    Returns:
        The front end's data on each; a single part has the same data.

    Raises:
        BadMessage: there are none, or too many.
    """
    parts = head.get("parts", [head])
    if type(parts) is not list or not 0 < len(parts) <= MOST_OF_BATCH or not all(type(p) is dict for p in parts):
        raise BadMessage("invalid batch of collectives")
    return parts


class Collectives:
    """All unfinished meetings, and the ranks that have left."""

    def __init__(self, queues: Queues, memory: Memory) -> None:
        self.queues, self.memory = queues, memory
        self.meetings: dict[tuple[str, int], Meeting] = {}
        self._left: dict[str, dict[int, str]] = {}
        memory.holding_up = self.holding_up

    def join(self, head: dict[str, Any]) -> int:
        """Enqueue one rank's part, or its parts in a batch.

        Raises:
            BadMessage: it is invalid.
        """
        stream, op, queues = head["stream"], head["op"], self.queues
        if op not in OPERATIONS and op != BATCH:
            raise BadMessage("invalid collective")
        queues.stream(stream)
        parts = [(part, *self._places(part, stream)) for part in parts_of(head)]
        for _, _, outs in parts:
            self.memory.written(storage for storage, _ in outs)
        with queues.lock:
            mine = self._meetings(parts_of(head))
            number = queues.enqueue(
                stream,
                op,
                lambda at: self._run(at, mine),
                lambda: all(self._complete(meeting) for _, meeting, _ in mine),
                lambda: [(p.stream, p.command.number) for _, m, _ in mine for p in m.parts.values()],
            )
            command, waited_for = queues.streams[stream].queue[-1], False
            for (part, ins, outs), (key, meeting, rank) in zip(parts, mine, strict=True):
                self.meetings[key] = meeting
                waited_for = waited_for or any(
                    queues.gates.is_open(queues.streams[p.stream], p.command) for p in meeting.parts.values()
                )
                # Only one rank of a gather or scatter has the lists.
                one_sided = part["op"] in ("gather", "scatter", "send")
                layouts = [] if one_sided else [f"{str(s.dtype).removeprefix('torch.')} {list(s.size)}" for _, s in ins]
                said = part["op"], part["reduce"], part["root"], layouts
                meeting.join(rank, said, Part(stream, command, ins, outs))
                self._break_if_left(meeting)
            if queues.gates.lazy and waited_for:  # a wait for it has already begun
                queues.gates.open(stream, number)
            queues.wake()
        return number

    def _places(self, part: dict[str, Any], stream: int) -> tuple[list[Place], list[Place]]:
        """Check a part's storages and layouts.

        Returns:
            The places that it reads and writes.

        Raises:
            BadMessage: it is not.
        """
        ins, outs = ([(self.memory[n], Spec.parse(s)) for n, s in part[key]] for key in ("ins", "outs"))
        group, rank, size = part["group"], part["rank"], part["size"]
        numbers = all(type(n) is int and 0 <= n < 1 << 40 for n in (rank, size, part["sequence"], part["root"]))
        if (
            not numbers
            or type(group) is not str
            or len(group) > MOST_OF_NAME
            or part["op"] not in OPERATIONS
            or part["reduce"] not in REDUCTIONS
            or not rank < size <= max(2, self.queues.limits.devices)
        ):
            raise BadMessage("invalid collective")
        for storage, spec in [*ins, *outs]:
            if storage.device != stream // STREAMS or (storage.spec and spec.nbytes > storage.nbytes):
                raise BadMessage("a collective reads another device's memory")
            storage.recorded |= {stream}  # as ProcessGroupNCCL does
            if stream != storage.home:
                storage.users |= {stream}
        return ins, outs

    def _meetings(self, parts: list[dict[str, Any]]) -> list[tuple[tuple[str, int], Meeting, int]]:
        """Find the meetings of a command's parts; the first part creates its meeting.

        Returns:
            For each part the meeting's name, the meeting and the rank in it.

        Raises:
            BadMessage: a rank comes twice, or the parts of a meeting do not agree on who takes part.
        """
        fresh: dict[tuple[str, int], Meeting] = {}
        found: dict[tuple[tuple[str, int], int], Meeting] = {}
        for part in parts:
            key, rank = (part["group"], part["sequence"]), part["rank"]
            world, size = str(part.get("world", ""))[:MOST_OF_NAME], part["size"]
            members = part.get("members", list(range(size)))
            if type(members) is not list or len(members) != size or not all(type(n) is int for n in members):
                raise BadMessage("invalid ranks of a group")
            new = Meeting(world, tuple(members), part["op"], part["reduce"], part["root"], left=size)
            meeting = self.meetings.get(key) or fresh.setdefault(key, new)
            if (meeting.world, meeting.members) != (new.world, new.members):
                raise BadMessage("different ranks for the same collective")
            if rank in meeting.parts or (key, rank) in found:
                raise BadMessage("a rank takes part twice in a collective")
            found[key, rank] = meeting
        return [(key, meeting, rank) for (key, rank), meeting in found.items()]

    def leave(self, world: object, rank: object, why: str) -> None:
        """Note that a rank has ended: ranks that wait for its part get a late error and do not hang."""
        if type(world) is not str or len(world) > MOST_OF_NAME or type(rank) is not int:
            raise BadMessage("invalid rank that leaves")
        with self.queues.lock:
            self._left.setdefault(world, {})[rank] = why[:300]
            for meeting in self.meetings.values():
                self._break_if_left(meeting)
            self.queues.wake()

    def _break_if_left(self, meeting: Meeting) -> None:
        gone = self._left.get(meeting.world, {})
        for part, rank in enumerate(meeting.members):
            if rank in gone and part not in meeting.parts and meeting.broken is None:
                why = f": {gone[rank]}" if gone[rank] else ""
                meeting.broken = f"rank {rank} has ended and does not take part in this {meeting.op}{why}"

    def all_wait(self, world: object, waits: list[dict[int, int]]) -> None:
        """End meetings that can no longer happen because all ranks of a process group are in one of these waits.

        Args:
            world: Its name.
            waits: By stream, the targets of each running rank's wait.

        Raises:
            BadMessage: it is no name.
        """
        if type(world) is not str:
            raise BadMessage("invalid name of a world")
        while open_ones := [m for m in self.meetings.values() if m.world == world and m.broken is None]:
            stuck = Stuck(self.queues, open_ones)
            if not stuck.meetings or not all(stuck.holds(wait) for wait in waits):
                break
            text = f"deadlock: no rank can continue: {stuck.sentence()}. {HINT}"
            for meeting in stuck.meetings:
                meeting.broken = text
        if not waits:  # the process group has ended
            self._left.pop(world, None)
            self.meetings = {key: m for key, m in self.meetings.items() if m.world != world or m.broken is None}
        self.queues.wake()

    def holding_up(self, streams: Iterable[int]) -> list[Meeting]:
        """Return what these streams cannot pass before another rank arrives, directly or through other streams."""
        if not self.meetings:
            return []
        missing: dict[Command, list[Meeting]] = {}
        for meeting in self.meetings.values():
            for part in meeting.parts.values():
                if not meeting.joined:
                    missing.setdefault(part.command, []).append(meeting)
        found: list[Meeting] = []
        seen, todo = set[int](), list(streams) if missing else []
        while todo:
            number = todo.pop()
            if number in seen or number not in self.queues.streams:
                continue
            seen.add(number)
            for command in self.queues.streams[number].queue:
                if command in missing:
                    found += missing[command]
                elif command.needs is not None:
                    todo += [other for other, _ in command.needs()]
        return found

    def _complete(self, meeting: Meeting) -> bool:
        if meeting.over:
            return True
        return len(meeting.parts) == meeting.size and all(self._arrived(part) for part in meeting.parts.values())

    def _arrived(self, part: Part) -> bool:
        stream = self.queues.streams[part.stream]
        if stream.started >= part.command.number:
            return True
        return (
            bool(stream.queue)
            and stream.queue[0] is part.command
            and stream.done == stream.started
            and self.queues.gates.is_open(stream, part.command)
        )

    def _run(self, at: Channel, parts: list[tuple[tuple[str, int], Meeting, int]]) -> None:
        """Run all parts of a command; report the first error when each part has finished."""
        errors = []
        for key, meeting, rank in parts:
            try:
                self._meet(at, key, meeting, rank)
            except Exception as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def _meet(self, at: Channel, key: tuple[str, int], meeting: Meeting, rank: int) -> None:
        with meeting.lock:
            meeting.left -= 1
            if not meeting.left:
                with self.queues.lock:
                    self.meetings.pop(key, None)
            if meeting.broken:
                raise RuntimeError(meeting.broken)
            if meeting.results is None:
                ins = [meeting.parts[r].ins for r in range(meeting.size)]
                results = self.memory.kernels.thing()
                at.ask(
                    "meet", [storage for part in ins for storage, _ in part], op=meeting.op, reduce=meeting.reduce,
                    root=meeting.root, to=results.number, ins=[_told(part) for part in ins],
                )  # fmt: skip
                results.known = True
                meeting.results = results
        outs = meeting.parts[rank].outs
        at.ask(
            "take", [storage for storage, _ in outs], op=meeting.op, members=meeting.members, rank=rank,
            of=meeting.results.number, outs=_told(outs),
        )  # fmt: skip


def _told(places: Sequence[Place]) -> list[object]:
    """Return the places in the kernel process's numbers."""
    return [[storage.cell.number, spec.json()] for storage, spec in places]

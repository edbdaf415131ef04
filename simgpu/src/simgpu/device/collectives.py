"""Collectives: each rank's part is a command in a stream of its device, and the parts meet, as NCCL's kernels do.

A part runs when all ranks' parts stand open at the head of their streams. The first to run reads all inputs and
reduces them in
the order of ranks, so that the result is the same every time.
"""

import functools
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from simgpu.device.memory import Memory, Storage
from simgpu.device.queues import Command, Queues
from simgpu.frames import BadMessage
from simgpu.wire import STREAMS, Spec

Place = tuple[Storage, Spec]

REDUCTIONS: dict[str, Callable[[list[Tensor]], Tensor]] = {
    "sum": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()),
    "avg": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()) / len(parts),
    "max": lambda parts: functools.reduce(torch.maximum, parts[1:], parts[0].clone()),
    "min": lambda parts: functools.reduce(torch.minimum, parts[1:], parts[0].clone()),
    "product": lambda parts: functools.reduce(torch.mul, parts[1:], parts[0].clone()),
}
OPERATIONS = frozenset(
    {"all_reduce", "broadcast", "all_gather", "reduce_scatter", "reduce", "gather", "scatter", "all_to_all", "send"}
)
MOST_OF_NAME = 200
PAIR = re.compile(r"(.*):(\d{1,9})>(\d{1,9}):\d+", re.DOTALL)  # a group, and two of its ranks
SAME_ORDER = "all ranks must issue the same collectives in the same order"


@dataclass(eq=False)
class Part:
    """What one rank brings: where it stands, what it gives and where its result goes."""

    stream: int
    command: Command
    ins: list[Place]
    outs: list[Place]


@dataclass(eq=False)
class Meeting:
    """One collective of one communicator."""

    size: int
    op: str
    reduce: str
    root: int
    parts: dict[int, Part] = field(default_factory=dict)
    said: tuple[int, Any] | None = None
    broken: str | None = None
    left: int = 0
    results: dict[int, list[Tensor]] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def joined(self) -> bool:
        """Whether nobody has to come any more."""
        return len(self.parts) == self.size or self.broken is not None

    def join(self, rank: int, said: Any, part: Part) -> None:
        """Another rank's part. What does not fit together breaks the meeting, where NCCL hangs or mixes it up."""
        self.said = self.said or (rank, said)
        if said != self.said[1]:
            self.broken = (
                f"rank {rank} calls {_text(said)} where rank {self.said[0]} calls {_text(self.said[1])}: {SAME_ORDER}"
            )
        for other, its in self.parts.items():
            if its.stream // STREAMS == part.stream // STREAMS:
                self.broken = (
                    f"Duplicate GPU detected: rank {other} and rank {rank} both on simgpu:{part.stream // STREAMS}"
                )
        self.parts[rank] = part

    def compute(self, ins: list[list[Tensor]]) -> None:
        """The result of each rank from the inputs of all."""
        ranks = range(self.size)
        reduce = REDUCTIONS[self.reduce]
        match self.op:
            case "all_reduce":
                values = [reduce([ins[r][n] for r in ranks]) for n in range(len(ins[0]))]
                self.results = dict.fromkeys(ranks, values)
            case "broadcast":
                self.results = {key: [t.clone() for t in ins[self.root]] for key in ranks}
            case "all_gather":
                self.results = {key: [t.clone() for r in ranks for t in ins[r]] for key in ranks}
            case "reduce_scatter":
                self.results = {r: [reduce([i[r] for i in ins])] for r in ranks}
            case "reduce":
                self.results = {r: [reduce([i[0] for i in ins])] if r == self.root else [] for r in ranks}
            case "gather":
                self.results = {r: [i[0].clone() for i in ins] if r == self.root else [] for r in ranks}
            case "scatter":
                self.results = {r: [ins[self.root][r].clone()] for r in ranks}
            case "all_to_all":
                self.results = {r: [i[r].clone() for i in ins] for r in ranks}
            case "send":
                self.results = {r: [ins[0][0].clone()] if r else [] for r in ranks}


def _text(said: Any) -> str:
    op, reduce, root, layouts = said
    return f"{op} (reduce {reduce}, root {root}) of {layouts}"


class Collectives:
    """All meetings that are not over, and which ranks have left."""

    def __init__(self, queues: Queues, memory: Memory) -> None:
        self.queues, self.memory = queues, memory
        self.meetings: dict[tuple[str, int], Meeting] = {}
        self._left: dict[str, dict[int, str]] = {}
        memory.holding_up = self.holding_up

    def join(self, head: dict[str, Any]) -> int:
        """Enqueue one rank's part.

        Returns:
            Its command's number.

        Raises:
            BadMessage: it is none of ours.
        """
        group, sequence, rank, size, stream = (
            str(head["group"]),
            head["sequence"],
            head["rank"],
            head["size"],
            head["stream"],
        )
        ins, outs = ([(self.memory[n], Spec.parse(s)) for n, s in head[key]] for key in ("ins", "outs"))
        numbers = all(type(n) is int and 0 <= n < 1 << 40 for n in (rank, size, sequence, head["root"]))
        if (
            not numbers
            or len(group) > MOST_OF_NAME
            or head["op"] not in OPERATIONS
            or head["reduce"] not in REDUCTIONS
            or not rank < size <= self.queues.limits.devices
        ):
            raise BadMessage("a collective")
        for storage, spec in [*ins, *outs]:
            if storage.device != stream // STREAMS or (storage.spec and spec.nbytes > storage.nbytes):
                raise BadMessage("a collective reads another device's memory")
            storage.recorded.add(stream)  # as ProcessGroupNCCL does
            if stream != storage.home:
                storage.users.add(stream)
        self.memory.written(storage for storage, _ in outs)
        key = group, sequence
        queues = self.queues
        with queues.lock:
            meeting = self.meetings.setdefault(key, Meeting(size, head["op"], head["reduce"], head["root"], left=size))
            if meeting.size != size or rank in meeting.parts:
                raise BadMessage("a collective's rank")
            before = list(meeting.parts.values())
            number = queues.enqueue(
                stream,
                head["op"],
                lambda: self._meet(key, meeting, rank),
                lambda: self._complete(meeting),
                lambda: [(p.stream, p.command.number) for p in meeting.parts.values()],
            )
            # A gather's or scatter's lists stand on one rank only.
            one_sided = head["op"] in ("gather", "scatter", "send")
            layouts = [] if one_sided else [f"{str(s.dtype).removeprefix('torch.')} {list(s.size)}" for _, s in ins]
            part = Part(stream, queues.streams[stream].queue[-1], ins, outs)
            meeting.join(rank, (head["op"], head["reduce"], head["root"], layouts), part)
            self._break_if_left(group, meeting)
            if queues.gates.lazy and any(
                queues.gates.is_open(queues.streams[p.stream], p.command) for p in before
            ):  # somebody waits for it already
                queues.gates.open(stream, number)
            queues.wake()
        return number

    def leave(self, group: object, rank: object, why: str) -> None:
        """A rank has ended: whoever waits for its part gets a late error and does not hang."""
        if not isinstance(group, str) or len(group) > MOST_OF_NAME or type(rank) is not int:
            raise BadMessage("a rank that leaves")
        with self.queues.lock:
            self._left.setdefault(group, {})[rank] = why[:300]
            for (name, _), meeting in self.meetings.items():
                self._break_if_left(name, meeting)
            self.queues.wake()

    def _break_if_left(self, group: str, meeting: Meeting) -> None:
        pair = PAIR.fullmatch(group)
        members = {int(pair[2]): 0, int(pair[3]): 1} if pair else {}  # of a pair, the sender is 0
        for rank, why in self._left.get(pair[1] if pair else group, {}).items():
            part = members.get(rank) if pair else rank
            if part is not None and part not in meeting.parts and meeting.broken is None:
                meeting.broken = (
                    f"rank {rank} has ended and takes no part in this {meeting.op}{': ' + why if why else ''}"
                )

    def holding_up(self, streams: Iterable[int]) -> list[Meeting]:
        """What these streams cannot pass before another rank comes, in them or in a stream that they wait for."""
        missing = {
            part.command: meeting
            for meeting in self.meetings.values()
            if not meeting.joined
            for part in meeting.parts.values()
        }
        found: list[Meeting] = []
        seen, todo = set[int](), list(streams) if missing else []
        while todo:
            number = todo.pop()
            if number in seen or number not in self.queues.streams:
                continue
            seen.add(number)
            for command in self.queues.streams[number].queue:
                if command in missing:
                    found.append(missing[command])
                elif command.needs is not None:
                    todo += [other for other, _ in command.needs()]
        return found

    def _complete(self, meeting: Meeting) -> bool:
        if meeting.broken is not None or meeting.results is not None:
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

    def _meet(self, key: tuple[str, int], meeting: Meeting, rank: int) -> None:
        view = self.memory.view
        with meeting.lock:
            meeting.left -= 1
            if not meeting.left:
                with self.queues.lock:
                    self.meetings.pop(key, None)
            if meeting.broken:
                raise RuntimeError(meeting.broken)
            if meeting.results is None:
                meeting.compute([[view(*place) for place in meeting.parts[r].ins] for r in range(meeting.size)])
        assert meeting.results is not None
        for place, value in zip(meeting.parts[rank].outs, meeting.results[rank], strict=True):
            view(*place).copy_(value)

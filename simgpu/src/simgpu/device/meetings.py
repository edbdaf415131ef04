"""Meetings: the ranks' parts of one collective, and its result."""

import threading
from dataclasses import dataclass, field
from typing import Any

from simgpu.device.channel import Thing
from simgpu.device.commands import Command
from simgpu.device.storage import Storage
from simgpu.wire import STREAMS, Spec

Place = tuple[Storage, Spec]

SAME_ORDER = "all ranks must issue the same collectives in the same order"


@dataclass(eq=False)
class Part:
    """One rank's part: its place in the queue, its values and the place of its result."""

    stream: int
    command: Command
    ins: list[Place]
    outs: list[Place]


@dataclass(eq=False)
class Meeting:
    """One collective of one communicator, or a send and its receive.

    Attributes:
        world: The ranks that were started together; only they can bring a part.
        members: The number of each rank in its world; of a pair, the sender is the first.
        results: The kernel process's results.
    """

    world: str
    members: tuple[int, ...]
    op: str
    reduce: str
    root: int
    parts: dict[int, Part] = field(default_factory=dict)
    said: tuple[int, Any] | None = None
    broken: str | None = None
    left: int = 0
    results: Thing | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def size(self) -> int:
        """The number of its parts."""
        return len(self.members)

    @property
    def over(self) -> bool:
        """Whether no rank is waiting here."""
        return self.broken is not None or self.results is not None

    def what(self, rank: int) -> str:
        """Describe what a rank does here."""
        if self.op != "send":
            return self.op
        return f"recv from rank {self.members[0]}" if rank else f"send to rank {self.members[1]}"

    @property
    def joined(self) -> bool:
        """Whether all ranks have arrived."""
        return len(self.parts) == self.size or self.broken is not None

    def join(self, rank: int, said: Any, part: Part) -> None:
        """Add another rank's part. Parts that do not match break the meeting; NCCL would hang or mix them up."""
        self.said = self.said or (rank, said)
        if said != self.said[1]:
            self.broken = (
                f"rank {self.members[rank]} calls {_text(said)} where rank {self.members[self.said[0]]} calls "
                f"{_text(self.said[1])}: {SAME_ORDER}"
            )
        for other, its in self.parts.items():
            one, two = self.members[other], self.members[rank]
            if its.stream // STREAMS == part.stream // STREAMS and one != two:  # a rank may send to itself
                self.broken = (
                    f"Duplicate GPU detected: rank {one} and rank {two} both on simgpu:{part.stream // STREAMS}"
                )
        self.parts[rank] = part


def _text(said: Any) -> str:
    op, reduce, root, layouts = said
    return f"{op} (reduce {reduce}, root {root}) of {layouts}"

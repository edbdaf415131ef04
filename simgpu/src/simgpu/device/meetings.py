"""Meetings: the parts that the ranks bring to one collective, and what comes of them."""

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from simgpu.device.commands import Command
from simgpu.device.storage import Storage
from simgpu.wire import STREAMS, Spec

Place = tuple[Storage, Spec]

REDUCTIONS: dict[str, Callable[[list[Tensor]], Tensor]] = {
    "sum": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()),
    "avg": lambda parts: functools.reduce(torch.add, parts[1:], parts[0].clone()) / len(parts),
    "max": lambda parts: functools.reduce(torch.maximum, parts[1:], parts[0].clone()),
    "min": lambda parts: functools.reduce(torch.minimum, parts[1:], parts[0].clone()),
    "product": lambda parts: functools.reduce(torch.mul, parts[1:], parts[0].clone()),
}
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
    """One collective of one communicator, or a send and its receive.

    Attributes:
        world: The ranks that were started together; nobody else can bring a part.
        members: The number of each rank in its world; of a pair, the sender is the first.
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
    results: dict[int, list[Tensor]] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def size(self) -> int:
        """How many parts it has."""
        return len(self.members)

    @property
    def over(self) -> bool:
        """Whether nobody waits here any more."""
        return self.broken is not None or self.results is not None

    def what(self, rank: int) -> str:
        """What a rank does here."""
        if self.op != "send":
            return self.op
        return f"recv from rank {self.members[0]}" if rank else f"send to rank {self.members[1]}"

    @property
    def joined(self) -> bool:
        """Whether nobody has to come any more."""
        return len(self.parts) == self.size or self.broken is not None

    def join(self, rank: int, said: Any, part: Part) -> None:
        """Another rank's part. What does not fit together breaks the meeting, where NCCL hangs or mixes it up."""
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

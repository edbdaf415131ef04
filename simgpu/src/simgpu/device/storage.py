"""A piece of device memory: its purpose, its place and its users."""

from dataclasses import dataclass, field

import torch

from simgpu.device.allocator import Block
from simgpu.device.channel import Thing
from simgpu.frames import BadMessage
from simgpu.wire import FIRST_OF_JUDGE, STREAMS, Spec


@dataclass(eq=False, slots=True)
class Storage:
    """A piece of device memory.

    Attributes:
        number: The front end's name of it.
        home: The stream that it was allocated on.
        cell: What the kernel process has of it: the values.
        spec: The layout of what it was made for; None until an operation whose result's shape depends on values has
            run.
        block: Where it lies; None for what the judge put or what did not fit.
        users: Other streams that were given work on it.
        recorded: Streams of ``record_stream``.
        at_risk: Other streams, not recorded, that had not come to the end of their work on it when it was freed, and
            how far that is.
        extent: From which address to which it lay when it was freed.
        call: The judge's call in which it was allocated, or first written if it is older.
        shown: The judge's own copy of an array at whose numbers the front end may look.
    """

    number: int
    home: int
    cell: Thing
    spec: Spec | None = None
    block: Block | None = None
    users: set[int] = field(default_factory=set)
    recorded: set[int] = field(default_factory=set)
    at_risk: dict[int, int] = field(default_factory=dict)
    extent: tuple[int, int] = (0, 0)
    call: int = 0
    shown: torch.Tensor | None = None

    @property
    def device(self) -> int:
        """The device that it is on."""
        return self.home // STREAMS

    @property
    def nbytes(self) -> int:
        """How many bytes were asked for."""
        return self.spec.nbytes if self.spec else 0

    @property
    def fits(self) -> bool:
        """Whether there was room for it."""
        return self.block is not None or not self.nbytes or self.number >= FIRST_OF_JUDGE

    def check(self, spec: Spec, name: str) -> None:
        """Look whether an operation's view of it fits in.

        Raises:
            BadMessage: it does not.
        """
        if self.spec is not None and spec.nbytes > self.nbytes:
            raise BadMessage(f"{name}: a view of {spec.nbytes} bytes in a storage of {self.nbytes}")

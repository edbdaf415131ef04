"""A piece of device memory: its purpose, its place and its users."""

from dataclasses import dataclass

import torch

from simgpu.device.allocator import Block
from simgpu.device.channel import Thing
from simgpu.frames import BadMessage
from simgpu.wire import FIRST_OF_JUDGE, STREAMS, Spec


@dataclass(eq=False, slots=True)
class Storage:
    """A piece of device memory.

    Attributes:
        number: The number by which the front end names it.
        home: The stream that it was allocated on.
        cell: Its values, in the kernel process.
        spec: The layout of its first tensor; None until an operation has run whose result's shape depends on values.
        block: Its memory; None if the judge put it or if it did not fit.
        users: Other streams that have operations on it.
        recorded: Streams of ``record_stream``.
        at_risk: Other streams, not recorded, that had not finished their work on it when it was freed, each with the
            number of its last such command.
        extent: The addresses at which it began and ended when it was freed.
        call: The judge's call in which it was allocated, or first written if it is older.
        shown: The judge's own copy of an array whose numbers the front end may read.
    """

    number: int
    home: int
    cell: Thing
    spec: Spec | None = None
    block: Block | None = None
    users: frozenset[int] = frozenset()
    recorded: frozenset[int] = frozenset()
    at_risk: tuple[tuple[int, int], ...] = ()
    extent: tuple[int, int] = (0, 0)
    call: int = 0
    shown: torch.Tensor | None = None

    @property
    def device(self) -> int:
        """The device that it is on."""
        return self.home // STREAMS

    @property
    def nbytes(self) -> int:
        """The number of requested bytes."""
        return self.spec.nbytes if self.spec else 0

    @property
    def fits(self) -> bool:
        """Whether it fits on the device."""
        return self.block is not None or not self.nbytes or self.number >= FIRST_OF_JUDGE

    def check(self, spec: Spec, name: str) -> None:
        """Check that an operation's view fits in it.

        Raises:
            BadMessage: it does not.
        """
        if self.spec is not None and spec.nbytes > self.nbytes:
            raise BadMessage(f"{name}: a view of {spec.nbytes} bytes does not fit in a storage of {self.nbytes}")

"""A piece of device memory: what it was made for, where it lies, who uses it."""

from dataclasses import dataclass, field

import torch

from simgpu.device.allocator import Block
from simgpu.frames import BadMessage
from simgpu.wire import STREAMS, Spec


@dataclass(eq=False, slots=True)
class Storage:
    """A piece of device memory.

    Attributes:
        number: The front end's name of it.
        home: The stream that it was allocated on.
        spec: The layout of what it was made for; None until an operation whose result's shape depends on values has
            run.
        block: Where it lies; None for what the judge put or what did not fit.
        tensor: The values in ``spec``'s layout; None until something writes or reads them.
        users: Other streams that were given work on it.
        recorded: Streams of ``record_stream``.
        at_risk: Other streams, not recorded, that had not come to the end of their work on it when it was freed, and
            how far that is.
        extent: From which address to which it lay when it was freed.
        call: The judge's call in which it was allocated, or first written if it is older.
        look: Whether the front end may look at its numbers.
    """

    number: int
    home: int
    spec: Spec | None = None
    block: Block | None = None
    tensor: torch.Tensor | None = None
    users: set[int] = field(default_factory=set)
    recorded: set[int] = field(default_factory=set)
    at_risk: dict[int, int] = field(default_factory=dict)
    extent: tuple[int, int] = (0, 0)
    call: int = 0
    look: bool = False

    @property
    def device(self) -> int:
        """The device that it lies on."""
        return self.home // STREAMS

    @property
    def nbytes(self) -> int:
        """How many bytes were asked for."""
        return self.spec.nbytes if self.spec else 0

    def check(self, spec: Spec, name: str) -> None:
        """Look whether an operation's view of it fits in.

        Raises:
            BadMessage: it does not.
        """
        if self.spec is not None and spec.nbytes > self.nbytes:
            raise BadMessage(f"{name}: a view of {spec.nbytes} bytes in a storage of {self.nbytes}")

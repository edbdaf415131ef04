"""The commands of a judge's call, kept as a program for a replay: see :mod:`.replay`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import torch

from simgpu.device.channel import Thing
from simgpu.device.storage import Storage
from simgpu.wire import Spec

MOST_STEPS = 50_000
MOST_BYTES = 256 << 20
"""The most bytes of copies from the host, and of older values that the call overwrote or freed."""


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """A command that computes or copies.

    Attributes:
        kind: "launch", "ask", "upload", "download" or "collective".
        number: The command's number.
        what: A ``Launch``; for a copy, the storage's number and the layout; for a collective, its parts, as the front
            end describes them.
        brought: The values that an upload brought, once it has run.
    """

    kind: str
    number: int
    what: Any
    brought: list[torch.Tensor] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Found:
    """A storage that the call did not make.

    Attributes:
        storage: The storage.
        values: A copy of what it held when the call began, in the kernel process; None if nothing had touched it.
        copied: Whether ``values`` is valid. Otherwise the call has not written there, and the storage itself has them.
    """

    storage: Storage
    values: Thing | None = None
    copied: bool = False


class Tape:
    """The steps of a call, and their initial values.

    Args:
        recording: Whether commands are recorded; if not, the tape belongs to no call.
        runs: The length of the record of runs when the tape began.
        copy: Copies the values of a storage in the kernel process; None if nothing has used it.

    Attributes:
        whole: False if something was too large to record.
        allocated: The layout and stream of storages that were allocated, but not by a step.
        freed: The storages that the front end has freed.
    """

    def __init__(
        self, recording: bool = True, runs: int = 0, copy: Callable[[Storage], Thing | None] = lambda storage: None
    ) -> None:
        self.recording = self.whole = recording
        self.runs, self._copy = runs, copy
        self.steps: list[Step] = []
        self.found: dict[int, Found] = {}
        self.allocated: dict[int, tuple[Spec, int]] = {}
        self.freed: set[int] = set()
        self._made: set[int] = set()
        self._nbytes = 0

    def close(self) -> None:
        """Note that everything from now on belongs to another call."""
        self.recording = False

    def add(self, step: Step, uses: Iterable[Storage], made: Iterable[int] = ()) -> None:
        """Add a command that uses some storages and makes others."""
        if self.recording:
            for storage in uses:
                if storage.number not in self._made:
                    self.found.setdefault(storage.number, Found(storage))
            self._made.update(made)
            self.steps.append(step)
            self._check(sum(data.nbytes for data in step.brought))

    def allocate(self, storage: Storage, spec: Spec) -> None:
        """Add a storage that nothing fills."""
        if self.recording:
            self._made.add(storage.number)
            self.allocated[storage.number] = spec, storage.home

    def free(self, storage: Storage) -> None:
        """Note that the front end has freed a storage."""
        if self.recording:
            self.freed.add(storage.number)
            if storage.number in self.found:
                self._check(storage.nbytes)

    def will_write(self, storage: Storage) -> None:
        """Copy a storage's content before the first command of the call that writes there can run."""
        found = self.found.get(storage.number)
        if found is None and self.recording and storage.number not in self._made:
            found = self.found[storage.number] = Found(storage)
        if found is not None and not found.copied:
            found.values = self._copy(storage)
            found.copied = True
            if found.values is not None:
                self._check(storage.nbytes)

    def bring(self, step: list[torch.Tensor], data: torch.Tensor) -> None:
        """Record the values of a copy from the host when it runs, possibly after the call."""
        if self.whole:
            step.append(data.clone(memory_format=torch.contiguous_format))
            self._check(data.nbytes)

    def _check(self, nbytes: int = 0) -> None:
        self._nbytes += nbytes
        if self._nbytes > MOST_BYTES or len(self.steps) > MOST_STEPS:
            self.recording = self.whole = False
            self.steps, self.found = [], {}

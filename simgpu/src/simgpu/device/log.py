"""What happened, in the device's order: the one record that pictures, verdicts and scores are drawn from."""

import time
from collections.abc import Iterable

from simgpu.frames import BadMessage
from simgpu.records import Entry, Gate, Run


class Log:
    """Entries in order of arrival, and runs in order of completion."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.entries: list[Entry] = []
        self.runs: list[Run] = []
        self.gates: list[Gate] = []
        self.ends: dict[int, int] = {}

    def add(
        self,
        kind: str,
        number: int,
        stream: int = 0,
        name: str = "",
        reads: Iterable[int] = (),
        writes: Iterable[int] = (),
        **detail: object,
    ) -> None:
        """One more entry.

        Raises:
            BadMessage: the log is full.
        """
        if len(self.entries) >= self.most:
            raise BadMessage(f"more than {self.most} entries in the log")
        self.entries.append(Entry(kind, number, stream, name, tuple(reads), tuple(writes), detail, time.monotonic_ns()))

    def gate(self, name: str, closed: bool, lazy: bool = False) -> None:
        """The judge has moved a gate. It stands beside the entries: the front end is not told."""
        self.gates.append(Gate(name[:60], closed, lazy, time.monotonic_ns()))

    def ran(self, number: int, stream: int, start: int, end: int, timed: bool) -> None:
        """A command has run. ``timed`` keeps its end for ``elapsed_time``."""
        self.runs.append(Run(number, stream, start, end))
        if timed:
            self.ends[number] = end

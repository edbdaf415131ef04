"""The entries of the log, for the device and for the log's readers. No torch here."""

import hashlib
from typing import Any, NamedTuple

import numpy as np


class Entry(NamedTuple):
    """An entry of the log.

    Attributes:
        kind: ``launch``, ``ask`` (an operation whose result's shape depends on values), ``upload`` and ``download``
            (pageable memory), ``h2d`` and ``d2h`` (pinned memory), ``peer`` (a copy between devices), ``record``,
            ``stream wait``, ``collective``: these are commands and belong to a stream. The others do not: ``wait`` (the
            host waits), ``full`` (the host waits because the launch queue is full), ``aside`` (a thread waits, and has
            opened nothing yet), ``reached`` (a ``query`` is answered with true, with ``targets`` and ``wait``),
            ``acknowledged`` (the front end has received the answers to these ``waits``), ``allocate``,
            ``free``, ``record stream``, ``error`` (a command failed), ``mark`` (code in the front end's
            process named this place), ``look`` (it asked for a number that the judge had put) and ``bad message``.
        number: The command's number; for the other kinds, that of the previous command.
        stream: ``device * 128 + n``; 0 is a device's default stream.
        name: The operation's overload (``aten.add.Tensor``), what was waited for, or the place of a look.
        reads: Storages that the command reads.
        writes: Storages that it writes.
        detail: Data that only some kinds have. Stream wait: ``ticket``. Wait: ``targets`` and ``pending`` (by stream),
            ``opened`` (the held commands that it releases), ``wait`` (its number), ``all`` (it waits for a whole
            device), ``command`` (it waits for this one), ``again`` (a repeated question counts as this wait) and
            ``thread`` (if not the main one, as the front end reports it). Peer copy: ``devices`` that it reads and
            writes, and ``target``, the one that it writes. Copy, or a rank's part of a collective: ``bytes``, with
            ``sizes`` of its tensors. Launch or copy: ``elements`` that it reads of each storage in ``reads`` (a
            reduction of a slice reads less than the whole). Copy from the host that ran while a judge needs the log:
            ``values``, see ``fingerprint``. Allocation: ``new`` (storage, address, bytes). Launch that brings more than
            a few numbers from the host: ``numbers``.
        time: When it arrived, in nanoseconds of the device's clock.
    """

    kind: str
    number: int
    stream: int
    name: str
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    detail: dict[str, Any]
    time: int = 0

    @classmethod
    def parse(cls, value: list[Any]) -> "Entry":
        """Read an entry from JSON."""
        kind, number, stream, name, reads, writes, detail, time = value
        return cls(kind, number, stream, name, tuple(reads), tuple(writes), detail, time)

    @property
    def is_command(self) -> bool:
        """Whether it is a command of a stream."""
        return self.kind in COMMAND_KINDS

    @property
    def is_wait(self) -> bool:
        """Whether the host waited for the device."""
        return self.kind == "wait"


class Run(NamedTuple):
    """When a command ran: its number, its stream, and the device's clock in nanoseconds."""

    number: int
    stream: int
    start: int
    end: int


class Gate(NamedTuple):
    """A judge has closed or opened a gate.

    Attributes:
        name: What was held or released: ``everything``, ``simgpu:1``, a stream, operations by name, or storages.
        closed: Whether it was closed.
        lazy: Whether waits of the host open it.
        time: When, in nanoseconds of the device's clock.
    """

    name: str
    closed: bool
    lazy: bool
    time: int


class Place(NamedTuple):
    """A line of Python that has enqueued commands.

    Attributes:
        number: The first of these commands.
        line: The line; 0 if it is not known.
        file: The path of its file. For a notebook's cell, "Cell In[3]", or "" if its number is not known.
    """

    number: int
    line: int
    file: str


def fingerprint(data: bytes, itemsize: int) -> str:
    """Return a fingerprint of the values of a copy from the host, independent of the order of its elements.

    Args:
        data: The elements.
        itemsize: Bytes of each; those of more than eight are taken apart.

    Returns:
        32 digits; "" for more than ``MOST_PRINTED`` elements.
    """
    items = np.frombuffer(data, f"u{min(itemsize, 8)}")
    return "" if items.size > MOST_PRINTED else hashlib.sha256(np.sort(items).tobytes()).hexdigest()[:32]


MOST_PRINTED = 1 << 20
COMMAND_KINDS = frozenset(
    {"launch", "ask", "upload", "download", "h2d", "d2h", "peer", "record", "stream wait", "collective"}
)

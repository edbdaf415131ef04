"""What a sandbox may take of each thing, and the fault of a notebook that takes more."""

from dataclasses import dataclass
from typing import NamedTuple

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import FaultKind
from ..sandbox.spec import DESCRIPTORS, SESSIONS


@dataclass(frozen=True)
class Fault:
    """What stopped student code.

    Attributes:
        kind: What happened.
        message: What the student reads: a clause where it ended the kernel, else a sentence on ``who``, which the
            caller knows better.
    """

    kind: FaultKind
    message: Message


class Bound(NamedTuple):
    """What all processes of a sandbox may take together of something, and the fault of whoever takes more."""

    most: float
    fault: Fault


def bounds(limits: Limits) -> dict[str, Bound]:
    """The bounds of a sandbox: by what it takes (see :class:`Usage`), in the order in which they are looked at."""

    def bound(most: float, kind: FaultKind, message: Message) -> Bound:
        return Bound(most, Fault(kind, message))

    return {
        "memory": bound(limits.memory_bytes, "memory", Message.of("memory", mib=limits.memory_mib)),
        "threads": bound(limits.threads, "processes", Message.of("processes", limit=limits.processes)),
        "sessions": bound(SESSIONS, "processes", Message.of("sessions", limit=SESSIONS)),
        "files": bound(limits.files, "disk", Message.of("files", limit=limits.files)),
        "descriptors": bound(DESCRIPTORS, "memory", Message.of("descriptors", limit=DESCRIPTORS)),
        "cpu_seconds": bound(limits.cpu_seconds, "cpu", Message.of("cpu", seconds=limits.cpu_seconds)),
    }

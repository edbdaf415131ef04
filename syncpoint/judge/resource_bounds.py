"""The bounds of a sandbox, for all its processes together, and the faults of notebooks that exceed them."""

from typing import NamedTuple

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import FaultKind
from ..sandbox.spec import DESCRIPTORS, SESSIONS
from .faults import Fault


class Bound(NamedTuple):
    """A bound for all processes of a sandbox together, and the fault for exceeding it."""

    most: float
    fault: Fault


def bounds(limits: Limits) -> dict[str, Bound]:
    """Return the bounds of a sandbox by resource (see :class:`Usage`), in the order of the checks."""

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

"""The bounds of a sandbox, and the faults of notebooks that exceed them and of kernels that ended."""

import signal
from dataclasses import dataclass
from typing import NamedTuple

from ..core.limits import Limits
from ..core.messages import Message
from ..core.results import FaultKind
from ..sandbox.spec import DESCRIPTORS, SESSIONS


@dataclass(frozen=True)
class Fault:
    """The reason why student code was interrupted."""

    kind: FaultKind
    # what the student reads: a clause where it ended the kernel, else a sentence on ``who``, which the caller knows
    # better
    message: Message


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


# Faults that may not be the student's, with a sentence for the person who grades.
LOST = {"killed": "was_killed", "crashed": "crashed_by_itself", "engine": "engine_was_lost"}
ENGINE_GONE = Fault("engine", Message("engine_gone"))


def fault_of(code: int, stderr: str) -> Fault:
    """Return the fault of a kernel that ended with this status; the end of its stderr may give details."""
    kind: FaultKind = "killed" if _was_killed(code) else "crashed" if code < 0 else "died"
    return Fault(kind, _how_it_died(code, stderr))


def _was_killed(code: int) -> bool:
    """Whether SIGKILL ended the kernel or its sandbox: sent from outside, or by student code to itself."""
    return code == -signal.SIGKILL


def _how_it_died(code: int, stderr: str) -> Message:
    if _was_killed(code):
        return Message("killed")
    if code < 0:
        known = {number.value: number.name for number in signal.Signals}
        return Message.of("crashed", signal=known.get(-code, f"signal {-code}"))
    # The engine's own log starts with the time in brackets.
    lines = [line for line in stderr.splitlines() if not line.startswith("[")]
    if lines:
        return Message.of("exited_saying", status=code, line=lines[-1][:200])
    return Message.of("exited", status=code)

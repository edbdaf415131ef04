"""Faults: why student code was interrupted, and why a kernel ended."""

import signal
from dataclasses import dataclass

from ..core.messages import Message
from ..core.results import FaultKind


@dataclass(frozen=True)
class Fault:
    """The reason why student code was interrupted."""

    kind: FaultKind
    # what the student reads: a clause where it ended the kernel, else a sentence on ``who``, which the caller knows
    # better
    message: Message


# Faults that may not be the student's, with a sentence for the person who grades.
LOST = {"killed": "was_killed", "crashed": "crashed_by_itself", "engine": "engine_was_lost"}
# Codes of messages about code that was stopped, and that did not react to the interrupt either.
HANGS = {
    "timeout": "timeout_hang",
    "output": "output_hang",
    "notebook_output": "notebook_output_hang",
    "messages": "messages_hang",
}
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

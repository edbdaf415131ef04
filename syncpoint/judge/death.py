"""Why a kernel has ended, read from the exit status of its sandbox."""

import signal

from ..core.messages import Message
from .bounds import Fault

# The faults that may be nobody's, and the sentence on each for whoever grades.
LOST = {"killed": "was_killed", "engine": "engine_was_lost"}
ENGINE_GONE = Fault("engine", Message("engine_gone"))


def fault_of(code: int, stderr: str) -> Fault:
    """The fault of a kernel that ended with this status; the end of its stderr may say more."""
    return Fault("killed" if _was_killed(code) else "died", _how_it_died(code, stderr))


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

"""Errors of judging and of malformed data."""

from ..core.errors import CannotGrade, SyncpointError
from ..core.messages import Message
from .faults import Fault


class Malformed(SyncpointError, ValueError):
    """Bytes are malformed; the message says where."""


class EngineDiffers(CannotGrade):
    """The judge on this machine differs from the one in the spec; the message says how, and what to do."""


class JudgeDied(CannotGrade):
    """The judging process ended, or was ended, before it answered; the text says how."""


class DeadKernelError(SyncpointError):
    """The kernel has ended; ``fault`` says why."""

    def __init__(self, fault: Fault):
        super().__init__(str(fault.message))
        self.fault = fault


class GraderError(SyncpointError):
    """A grader module cannot be used; ``message`` names the module and what to do."""

    def __init__(self, message: Message):
        super().__init__(str(message))
        self.message = message


class Garbled(SyncpointError):
    """A message is not ZMTP."""

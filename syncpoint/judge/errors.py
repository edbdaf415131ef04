"""Why something could not be judged, or what came is not what it should be."""

from ..core.errors import CannotGrade, SyncpointError
from ..core.messages import Message
from .bounds import Fault


class Malformed(SyncpointError, ValueError):
    """These bytes are not what they should be; the text says where."""


class EngineDiffers(CannotGrade):
    """What judges on this machine is not what the spec was made for; the text says what differs and what to do."""


class JudgeDied(CannotGrade):
    """The judging process ended, or had to be ended, before it answered; the text says how."""


class DeadKernelError(SyncpointError):
    """The kernel is no more; ``fault`` says why."""

    def __init__(self, fault: Fault):
        super().__init__(str(fault.message))
        self.fault = fault


class GraderError(SyncpointError):
    """A grader module cannot be used; ``message`` names the module and what to do."""

    def __init__(self, message: Message):
        super().__init__(str(message))
        self.message = message


class Garbled(SyncpointError):
    """What came is not ZMTP."""

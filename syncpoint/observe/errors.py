"""What can go wrong when a grader asks something of student code."""

from __future__ import annotations

from ..core.errors import SyncpointError
from ..core.messages import Message, words


class BadReply(SyncpointError):
    """The student's process answered with something that is no observation."""


class ProbeError(SyncpointError):
    """The probe could not do what the grader asked: a mistake in the grader or in its scenario."""


class StudentError(SyncpointError, AssertionError):
    """Student code failed where it should not have.

    Args:
        message: For the student.
    """

    def __init__(self, message: Message | str):
        self.message = words(message) if isinstance(message, str) else message
        super().__init__(str(self.message))


class NotTested(StudentError):
    """There was no code to look at, or no time left for it: it says nothing of what the student believes."""

"""Errors when a grader calls student code."""

from __future__ import annotations

from ..core.errors import SyncpointError
from ..core.messages import Message, words


class BadReply(SyncpointError):
    """The student's process replied with something that is not an observation."""


class ProbeError(SyncpointError):
    """The probe could not carry out the grader's request: a mistake in the grader or in its scenario."""


class StudentError(SyncpointError, AssertionError):
    """Student code failed where it should not have.

    Args:
        message: For the student.
    """

    def __init__(self, message: Message | str):
        self.message = words(message) if isinstance(message, str) else message
        super().__init__(str(self.message))


class NotTested(StudentError):
    """There was no code to call, or no time left: this shows nothing about what the student believes."""

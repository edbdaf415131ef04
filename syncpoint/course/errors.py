"""Errors in a course folder, its settings and submissions."""

from ..core.errors import SyncpointError
from ..core.messages import Message


class CourseError(SyncpointError):
    """The course folder is not in order; the text names the file and the next step."""


class RubricError(CourseError):
    """A rubric cannot be used; the message names the file and the problem."""


class NotForStudents(CourseError):
    """A visible test needs something that students do not have; the text names both."""


class CommandFailed(SyncpointError):
    """An nbgrader command failed; the message names the command and its error."""


class UnreadableTime(SyncpointError, ValueError):
    """A text is not a time, or it is ambiguous; the message says why, and what to write."""


class Unreadable(SyncpointError):
    """A file is not a notebook; ``message`` says why, without the name of the file."""

    def __init__(self, message: Message):
        super().__init__(message.code)
        self.message = message

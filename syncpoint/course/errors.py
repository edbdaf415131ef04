"""What can be wrong with a course folder, its settings and what was handed in."""

from ..core.errors import SyncpointError
from ..core.messages import Message


class CourseError(SyncpointError):
    """The course folder is not in order; the text names the file and the next step."""


class RubricError(CourseError):
    """A rubric cannot be used; the text names the file and what is wrong."""


class NotForStudents(CourseError):
    """A visible test needs what students do not have; the text names both."""


class CommandFailed(SyncpointError):
    """An nbgrader command ended with an error; the text names the command and what it said."""


class UnreadableTime(SyncpointError, ValueError):
    """A text that is no time, or more than one; it says why, and what to write."""


class Unreadable(SyncpointError):
    """The file is no notebook; ``message`` says why, without the name of the file."""

    def __init__(self, message: Message):
        super().__init__(message.code)
        self.message = message

"""What is wrong with a course folder."""

from ..core.errors import SyncpointError


class CourseError(SyncpointError):
    """The course folder is not in order; the text names the file and the next step."""

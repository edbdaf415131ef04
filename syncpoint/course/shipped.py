"""The course that comes with Syncpoint."""

from ..engines.find import SHIPPED
from .folder import Course


def shipped() -> Course:
    """The course with the assignments, settings and translations that come with Syncpoint."""
    return Course(SHIPPED)

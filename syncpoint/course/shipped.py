"""The course that comes with Syncpoint."""

from ..engines.find import SHIPPED
from .folder import Course


def shipped() -> Course:
    """The course whose assignments, settings and translations come with Syncpoint."""
    return Course(SHIPPED)

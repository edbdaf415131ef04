"""A course's rule on tries, a student's submissions for one assignment: which one counts (``c.Tries``)."""

from typing import Literal, get_args

from traitlets import Enum
from traitlets.config import Config, Configurable

from .traits import in_config

Counts = Literal["newest", "best", "chosen"]


class Tries(Configurable):
    """Which of a student's submissions for an assignment counts.  All are kept."""

    counts = Enum(
        get_args(Counts),
        "newest",
        help="The submission that counts: the newest one, the one with the most points from tests after the late "
        "penalty, or the one that you choose with `syncpoint tries` (the newest until you choose).",
    ).tag(config=True)


def which_counts(config: Config) -> Counts:
    """Return the rule of a course, or raise CourseError."""
    counts: Counts = in_config(Tries, config).counts
    return counts

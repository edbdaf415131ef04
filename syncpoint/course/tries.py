"""A course's rule on tries, a student's submissions for one assignment: which one counts (``c.Tries``)."""

from dataclasses import dataclass
from typing import Any, Literal

from traitlets import TraitError
from traitlets.config import Config

from .errors import CourseError
from .traits import configurable, setting

Counts = Literal["newest", "best", "chosen"]


@dataclass(frozen=True)
class TryRules:
    """Which of a student's submissions for an assignment counts.  All are kept."""

    counts: Counts = setting(  # noqa: RUF009
        "newest",
        "The submission that counts: the newest one, the one with the most points from tests after the late penalty, "
        "or the one that you choose with `syncpoint tries` (the newest until you choose).",
    )


Tries: Any = configurable("Tries", TryRules, __name__)


def which_counts(config: Config) -> Counts:
    """Return the rule of a course, or raise CourseError."""
    try:
        counts: Counts = Tries(config=config).counts
    except TraitError as problem:
        raise CourseError(f"c.Tries in nbgrader_config.py: {problem}") from None
    return counts

"""A course's rule on tries, a student's submissions for one assignment: which one counts (``c.Tries``)."""

from dataclasses import dataclass
from typing import Any, Literal

from .traits import configurable, setting

Counts = Literal["newest", "best", "chosen"]


@dataclass(frozen=True)
class TryRules:
    """Which of a student's submissions for an assignment counts.  All are kept."""

    counts: Counts = setting(  # noqa: RUF009
        "newest",
        "The submission that counts: the newest; the one with the most automatic points after the late penalty; or "
        "the one chosen with `syncpoint tries`, else the newest.",
    )


Tries: Any = configurable("Tries", TryRules, __name__)

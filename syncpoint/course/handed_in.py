"""A course's settings for work that is graded on submission (``c.HandedIn``), and when the next try comes."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from traitlets.config import Config

from .traits import configurable, setting

Level = Literal["nothing", "properties", "no hints", "all"]
Still = Literal["all", "queued", "begun"]


@dataclass(frozen=True)
class Rules:
    """The rules for work that is graded on submission, until it is due.

    An assignment may have its own in assignment.toml, below [handed_in].  What is not graded of that which waits at the
    deadline is left to the course, and so is what comes late.
    """

    tries: int = setting(0, "Number of submissions that are graded without a pause; 0: any number.", min=0)
    refill_minutes: float = setting(60.0, "Minutes until a student gets another try, up to `tries`.", min=0.01)
    quota: int = setting(0, "Total number of submissions that are graded before the due date; 0: any number.", min=0)
    before_due: Level = setting(  # noqa: RUF009
        "all", "How much the feedback shows until the due date; after it, everything."
    )
    when_due: Still = setting(  # noqa: RUF009
        "all",
        "Which waiting submissions are still graded after the due date: all that arrived before it, those that were "
        "queued, or those whose grading had begun.",
    )
    spent: str = setting(
        "", "The message for a student without a try left, instead of `You have no attempts left at the moment.`"
    )

    def shown(self, due: datetime | None, now: datetime) -> Level:
        """Return how much a student's feedback shows now; without a due date it never ends.  All times are UTC."""
        return "all" if due is not None and now >= due else self.before_due

    def next_try(self, tried: Sequence[datetime], now: datetime) -> datetime | None:
        """When a student may try again.

        Args:
            tried: When they did, the first one first.
            now: Like them in UTC.

        Returns:
            When; None if it is now.
        """
        if not self.tries:
            return None
        refill = timedelta(minutes=self.refill_minutes)
        full = datetime.min  # when all tries will be there again
        for at in tried:
            full = max(full, at) + refill
        if full == datetime.min:
            return None
        at = full - (self.tries - 1) * refill
        return at if at > now else None

    def is_spent(self, tried: Sequence[datetime], due: datetime | None, now: datetime) -> bool:
        """Whether no further try comes before the work is due."""
        is_free = self.when_due == "all" and due is not None and now >= due
        return bool(self.quota) and len(tried) >= self.quota and not is_free


HandedIn = configurable("HandedIn", Rules, __name__)


def read_rules(config: Config, own: dict[str, Any]) -> Rules:
    """The rules of an assignment.

    Args:
        config: Of the course.
        own: What the assignment says of itself; it goes before.

    Raises:
        TraitError: For a value in the configuration that is none (of traitlets).
    """
    traits = HandedIn(config=config)
    return Rules(**{field.name: own.get(field.name, getattr(traits, field.name)) for field in fields(Rules)})

"""What a course sets for work that is graded when it is handed in (``c.HandedIn``), and when the next try comes."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from traitlets import Enum, Float, Integer, Unicode
from traitlets.config import Config, Configurable

Level = Literal["nothing", "properties", "no hints", "all"]
LEVELS: tuple[Level, ...] = ("nothing", "properties", "no hints", "all")
Still = Literal["all", "queued", "begun"]
STILL: tuple[Still, ...] = ("all", "queued", "begun")
LEAST = 0.01  # minutes


@dataclass(frozen=True)
class Rules:
    """What holds for an assignment until it is due.

    Attributes:
        tries: So many may be graded one after the other; 0 for any number.
        refill_minutes: After which another try comes, up to ``tries``.
        quota: So many are graded in all; 0 for any number.
        before_due: How much the feedback shows; afterwards all.
        when_due: What is still graded of that which waits at the deadline: everything that came before it, what had its
            place in the queue, or only what had been begun.  The rest is left to the course, and so is what comes late.
        spent: The course's own sentence for who has no try left; "" for ours.
    """

    tries: int = 0
    refill_minutes: float = 60.0
    quota: int = 0
    before_due: Level = "all"
    when_due: Still = "all"
    spent: str = ""

    def shown(self, due: datetime | None, now: datetime) -> Level:
        """How much a student's feedback shows now; without a due date nothing is over.  All times are UTC."""
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


class HandedIn(Configurable):
    """The rules of the course; an assignment may have its own in assignment.toml, below [handed_in]."""

    tries = Integer(Rules.tries, min=0, help="So many may be graded one after the other; 0: any number.").tag(
        config=True
    )
    refill_minutes = Float(Rules.refill_minutes, min=LEAST, help="After so many minutes another try comes.").tag(
        config=True
    )
    quota = Integer(Rules.quota, min=0, help="So many are graded in all before the work is due; 0: any number.").tag(
        config=True
    )
    before_due = Enum(
        LEVELS, Rules.before_due, help="How much the feedback shows until the work is due; afterwards all."
    ).tag(config=True)
    when_due = Enum(
        STILL,
        Rules.when_due,
        help="What is still graded of that which waits when the work is due: all that came before, what was queued, or "
        "what was begun.",
    ).tag(config=True)
    spent = Unicode(
        Rules.spent, help="The sentence for who has no try left, in place of `You have no try left just now.`"
    ).tag(config=True)


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

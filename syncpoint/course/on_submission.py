"""A course's settings for work that is graded on submission (``c.OnSubmission``), and when the next attempt comes."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal

from traitlets.config import Config

from .traits import configurable, in_config, setting

Level = Literal["nothing", "properties", "no hints", "all"]
Still = Literal["all", "queued", "begun"]


@dataclass(frozen=True)
class Rules:
    """The rules for work that is graded on submission, until it is due.

    An assignment may override them in assignment.toml, below [on_submission].
    """

    attempts: int = setting(0, "Number of attempts that a student can use without a pause; 0: no limit.", min=0)
    refill_minutes: float = setting(60.0, "Minutes until a student gets another attempt, up to `attempts`.", min=0.01)
    quota: int = setting(0, "Total number of a student's attempts before the due date; 0: no limit.", min=0)
    before_due: Level = setting(  # noqa: RUF009
        "all", "What the feedback shows until the due date. Afterwards it shows everything."
    )
    when_due: Still = setting(  # noqa: RUF009
        "all",
        "Which submissions are still graded after the due date: all that arrived before it, those that were already "
        "in the queue, or those whose grading had begun.",
    )
    spent: str = setting(
        "", "The message for a student without attempts, instead of `You have no attempts left at the moment.`"
    )

    def shown(self, due: datetime | None, now: datetime) -> Level:
        """Return how much a student's feedback shows now; without a due date, as before one. All times are UTC."""
        return "all" if due is not None and now >= due else self.before_due

    def next_attempt(self, tried: Sequence[datetime], now: datetime) -> datetime | None:
        """Return when a student, after attempts in order, may submit for grading again (UTC); None if now."""
        if not self.attempts:
            return None
        refill = timedelta(minutes=self.refill_minutes)
        full = datetime.min  # when all attempts will be available again
        for at in tried:
            full = max(full, at) + refill
        if full == datetime.min:
            return None
        at = full - (self.attempts - 1) * refill
        return at if at > now else None

    def is_spent(self, tried: Sequence[datetime], due: datetime | None, now: datetime) -> bool:
        """Whether no attempt becomes available before the work is due."""
        is_free = self.when_due == "all" and due is not None and now >= due
        return bool(self.quota) and len(tried) >= self.quota and not is_free


OnSubmission = configurable("OnSubmission", Rules, __name__)


def read_rules(config: Config, own: dict[str, Any]) -> Rules:
    """Return an assignment's rules: its own settings override the configuration. Raises CourseError."""
    traits = in_config(OnSubmission, config)
    return Rules(**{field.name: own.get(field.name, getattr(traits, field.name)) for field in fields(Rules)})

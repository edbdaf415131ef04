"""What the parts of ``syncpoint watch`` share: settings, retries, messages, and the state of each queue entry."""

import functools
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from sqlalchemy.orm import Session

from ..core.errors import SyncpointError
from ..core.names import some
from ..course.folder import Course
from ..course.intake import TIMESTAMP
from ..course.on_submission import Rules
from ..course.submission_folder import why_no_time
from ..grading.failures import reason
from ..records.accommodations import due_of
from ..records.database import one_transaction
from ..records.queue import RELEASED, WRITTEN, open_ones
from ..records.tables import QueueEntry

RETRY_SECONDS = 60.0
# intervals between graded submissions: the fewest for a rate, and the latest that count
MIN_INTERVALS, MAX_INTERVALS = 5, 100
SKIPPED = "{assignment} is skipped until this is fixed: {reason}"
FAILED = "{assignment}: {students}: failed, retrying in a minute: {reason}"


@dataclass(frozen=True)
class _Settings:
    rules: Rules
    opens: datetime | None


class Pace:
    """The measured time between two graded submissions while others waited."""

    def __init__(self) -> None:
        self._intervals: deque[float] = deque(maxlen=MAX_INTERVALS)
        self._last: float | None = None

    def graded(self, now: float, others_wait: bool) -> None:
        """Note that a submission was graded at this time; if nobody waits, the rate ignores it."""
        if self._last is not None:
            self._intervals.append(now - self._last)
        self._last = now if others_wait else None

    def pause(self) -> None:
        """Note that nothing is graded for a while."""
        self._last = None

    def seconds(self, place: int) -> float | None:
        """Return the expected seconds until this place is graded; None if too few were graded."""
        if len(self._intervals) < MIN_INTERVALS:
            return None
        return place * sum(self._intervals) / len(self._intervals)


class Progress:
    """The watched assignments and the progress of their submissions.

    ``note`` gets each sentence about a failure, and ``reached`` each step with its student and assignment.
    """

    def __init__(self, course: Course, note: Callable[[str], None], reached: Callable[[str, str, str], None]) -> None:
        self.course, self.note, self._reached = course, note, reached
        self.watched: Sequence[str] = ()
        self._retry_at: dict[int | str, float] = {}  # the id of an entry, or an assignment -> time
        self._notices: dict[str, str] = {}
        self.refresh()

    def refresh(self) -> None:
        """Read the settings again when they are needed next."""
        self._settings = functools.cache(self._read)

    def rules(self, assignment: str) -> Rules:
        """The rules of an assignment whose settings are valid."""
        found = self._settings(assignment)
        assert found is not None
        return found.rules

    def unfinished(self, session: Session) -> list[QueueEntry]:
        """The unfinished submissions of the watched assignments whose settings are valid."""
        return [one for one in open_ones(session) if one.assignment in self.watched and self._settings(one.assignment)]

    def due(self, session: Session) -> Callable[[QueueEntry], datetime | None]:
        """Return a function for an entry's due date."""

        def opens(assignment: str) -> datetime | None:
            found = self._settings(assignment)
            return found.opens if found else None

        return lambda one: due_of(session, one.student, one.assignment, opens)

    def _read(self, assignment: str) -> _Settings | None:
        try:
            found = _Settings(self.course.rules(assignment), self.course.graders(assignment).settings().opens)
        except Exception as problem:  # a configuration is a program and may raise anything
            self.note_once(assignment, SKIPPED.format(assignment=assignment, reason=problem))
            return None
        self._notices.pop(assignment, None)
        return found

    def is_postponed(self, which: int | str) -> bool:
        """Whether an entry or an assignment waits for its retry."""
        return self._retry_at.get(which, 0.0) >= time.monotonic()

    def has_failed(self, one: QueueEntry) -> bool:
        """Whether the last attempt at an entry failed because of a problem on our side."""
        return one.id in self._retry_at

    def postpone(self, which: Iterable[int | str], seconds: float | None = None) -> None:
        """Retry these entries, or assignments, later: after a minute by default."""
        at = time.monotonic() + (RETRY_SECONDS if seconds is None else seconds)
        self._retry_at |= dict.fromkeys(which, at)

    def failed(self, ones: Sequence[QueueEntry], problem: Exception) -> None:
        """Retry these later, and say why."""
        self.postpone(one.id for one in ones)
        message = reason(problem) or f"{type(problem).__name__}: {problem}"
        names = some(sorted({one.student for one in ones}))
        self.note(FAILED.format(assignment=ones[0].assignment, students=names, reason=message))

    def skip(self, assignment: str, problem: Exception) -> None:
        """Retry an assignment later, and say why once."""
        self.postpone([assignment])
        why = str(problem) if isinstance(problem, SyncpointError) else reason(problem) or repr(problem)
        self.note_once(assignment, SKIPPED.format(assignment=assignment, reason=why))

    def note_once(self, subject: str, sentence: str) -> None:
        """Report a sentence unless it is the last one on its subject."""
        if self._notices.get(subject) != sentence:
            self.note(sentence)
        self._notices[subject] = sentence

    def succeeded(self, done: dict[str, Any]) -> bool:
        """Whether a call of nbgrader's API succeeded; its messages are reported."""
        if done.get("log"):
            self.note(str(done["log"]).strip())
        if not done["success"]:
            self.note(str(done.get("error", "")).strip().rpartition("\n")[2])
        return bool(done["success"])

    def advance(self, gradebook: Gradebook, ones: Iterable[QueueEntry], state: str, **more: Any) -> None:
        """Store a new state, and other columns, of these entries."""
        ones = list(ones)
        with one_transaction(gradebook) as session:
            for one in ones:
                row = session.get(QueueEntry, one.id)
                # the entry may have been removed
                for name, value in {"state": state, **more}.items() if row is not None else ():
                    setattr(row, name, value)
        for one in ones:
            for name, value in {"state": state, **more}.items():
                setattr(one, name, value)
            if state in (RELEASED, WRITTEN):
                self._retry_at.pop(one.id, None)
        self.reached(state, ((one.student, one.assignment) for one in ones))

    def reached(self, step: str, whose: Iterable[tuple[str, str]]) -> None:
        for student, assignment in whose:
            self._reached(step, student, assignment)

    def stamp(self, folder: Path) -> str:
        """The text of a submission's time stamp; "" if there is none or it is invalid."""
        try:
            return "" if why_no_time(folder, self.course.clock) else (folder / TIMESTAMP).read_text()
        except FileNotFoundError:
            return ""

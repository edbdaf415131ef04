"""``syncpoint watch``: collects from nbgrader's exchange what was handed in, grades it, and gives the feedback back."""

import functools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy.orm import Session

from ..course.folder import Course, CourseError
from ..course.intake import TIMESTAMP
from ..nbgrader_hooks.exchange_collect import is_complete
from ..nbgrader_hooks.late import opening
from ..nbgrader_hooks.shown import HERE
from ..records.accommodations import due_of
from ..records.database import one_transaction, upgrade
from ..records.gradebook import open_gradebook
from ..records.queue import (
    BEFORE,
    COLLECTED,
    HELD,
    JUDGING,
    QUEUED,
    RELEASED,
    REPLACED,
    WRITTEN,
    enter,
    let_in,
    open_ones,
    places,
    waits_until,
)
from ..records.tables import HandIn
from .display import Display
from .local import Warm
from .notes import Notes, secret_name
from .run import Choice, run

RETRY_SECONDS = 60.0  # what could not be done is tried again then
MOST = 200  # characters of a time stamp
AGAIN_SECONDS = 30.0  # so often the gradebook is asked whom a due date or a new try concerns
NOT_OUT = "{assignment} was not handed out: there is no {place}. Run `nbgrader release_assignment {assignment}`."
ALL_SHOWN = (
    "{assignment}: before_due = {level!r}, but c.GenerateFeedback.preprocessors in nbgrader_config.py does not name "
    "{here}: students would see everything. Add it."
)


def handed_out(course: Course) -> list[str]:
    """The assignments that lie in the exchange for students."""
    api = NbGraderAPI(config=course.settings())
    return sorted(path.name for path in Path(api.exchange_root, api.course_id, "outbound").glob("*") if path.is_dir())


@dataclass
class Watch:
    """Whoever has handed in an assignment and has no feedback yet gets it, in the order of the queue.

    All that it knows lies in the gradebook, in the course folder and in the exchange: killed at any moment and started
    again, it does what is missing, and nothing twice.

    Attributes:
        course: The course.
        warm: Those who judge.
        display: Makes what shows the grading of an assignment.
        note: Told in a sentence what could not be done.
        reached: Told each step of the way that a student's work on an assignment has made.
    """

    course: Course
    warm: Warm
    display: Callable[[str], Display]
    note: Callable[[str], None]
    reached: Callable[[str, str, str], None] = lambda step, student, assignment: None

    def __post_init__(self) -> None:
        self._api = NbGraderAPI(config=self.course.settings())
        self._exchange = Path(self._api.exchange_root, self._api.course_id)
        self._notes = Notes(self.course, self._exchange / "feedback", self._api.coursedir.groupshared)
        self._seen: dict[str, frozenset[str]] = {}  # by assignment
        self._wake = 0.0  # when to look at the gradebook, if nobody hands in before
        self._later: dict[int, float] = {}  # rows that something of ours went wrong with: when to try again
        self._waiting = False  # whether somebody is in the queue who may be graded now
        self._begun = False
        self._rules = self.course.rules  # read once for each look

    def check(self, assignment: str) -> None:
        """Whether an assignment can be watched.

        Raises:
            CourseError: If not; the text says what to do.
        """
        released = self._exchange / "outbound" / assignment
        if not released.is_dir():
            raise CourseError(NOT_OUT.format(assignment=assignment, place=released))
        level = self.course.rules(assignment).before_due
        if level != "all" and HERE not in map(str, self.course.settings().GenerateFeedback.get("preprocessors", ())):
            raise CourseError(ALL_SHOWN.format(assignment=assignment, level=level, here=HERE))

    def look(self, assignments: Sequence[str]) -> list[tuple[str, str]]:
        """Take up what has come since the last look, and grade those whose turn it is.

        Returns:
            The assignments and students whose feedback was given back, in the order in which it was.
        """
        new, again = [name for name in assignments if self._collect(name)], time.monotonic() >= self._wake
        if not new and not self._waiting and not again:
            return []
        self._rules = functools.cache(self.course.rules)
        with open_gradebook(self.course) as gradebook:
            if not self._begun:
                upgrade(gradebook.engine)
                self._begin_again(gradebook)
            for name in new:
                self._enter(gradebook, name)
            self._let_in(gradebook)
            self._tell(gradebook)
            given = self._grade(gradebook, self._next(gradebook, assignments))
            if again:
                given += self._show_more(gradebook, assignments)
                self._wake = time.monotonic() + AGAIN_SECONDS
            self._tell(gradebook)
            self._waiting = bool(self._next(gradebook, assignments))
        return given

    @property
    def is_idle(self) -> bool:
        """Whether nobody is left who may be graded now."""
        return not self._waiting

    # --- from the exchange into the queue -------------------------------------------------------------------------

    def _collect(self, assignment: str) -> bool:
        """Collect what is new.  Returns whether there may be something."""
        found = self._handed_in(assignment)
        if self._seen.get(assignment) == found:
            return False
        if self._succeeded(self._api.collect(assignment)):
            self._seen[assignment] = found
        return True

    def _handed_in(self, assignment: str) -> frozenset[str]:
        """The names of the complete submissions that lie in the exchange."""
        names = set()
        for folder in (self._exchange / "inbound").glob(f"*+{assignment}+*"):
            try:
                names |= {folder.name} if is_complete(folder) else set()
            except OSError:  # taken away meanwhile
                continue
        return frozenset(names)

    def _when(self, student: str, assignment: str) -> int:
        """When a student's last submission was complete, by the clock of the disk: a time stamp may say anything."""
        last = 0
        for name in self._seen.get(assignment, ()):
            if name.rsplit("+", 3)[0] == student:
                try:
                    last = max(last, (self._exchange / "inbound" / name).lstat().st_ctime_ns)
                except OSError:
                    continue
        return last

    def _begin_again(self, gradebook: Gradebook) -> None:
        """What an earlier watch was at when it ended is to be done again."""
        with one_transaction(gradebook) as session:
            for one in open_ones(session):
                if one.state == JUDGING:
                    one.state = QUEUED
        self._begun = True

    def _enter(self, gradebook: Gradebook, assignment: str) -> None:
        """Note all that was collected and is not known yet, the first one first."""
        entered, now = [], _now()
        stamps = sorted(self._stamps("submitted", assignment).items(), key=lambda one: self._when(one[0], assignment))
        with one_transaction(gradebook) as session:
            for student, work in stamps:
                name = secret_name(self.course.root / "submitted" / student / assignment, assignment)
                new = enter(session, student, assignment, work, name, now)
                if new is not None:
                    self._notes.remove(new[1])
                    entered.append(student)
        self._reached(COLLECTED, [(student, assignment) for student in entered])

    def _let_in(self, gradebook: Gradebook) -> None:
        with one_transaction(gradebook) as session:
            waiting = [one for one in open_ones(session) if one.state in (COLLECTED, HELD)]
            let_in(session, waiting, self._rules, self._due(session), _now())
            queued = [(one.student, one.assignment) for one in waiting if one.state == QUEUED]
        self._reached(QUEUED, queued)

    # --- grading --------------------------------------------------------------------------------------------------

    def _next(self, gradebook: Gradebook, assignments: Sequence[str]) -> list[HandIn]:
        """Those who are to be dealt with now: the first in the queue, as many as there are workers."""
        with one_transaction(gradebook) as session:
            ready = [
                one
                for one in open_ones(session)
                if one.place is not None
                and one.state in (QUEUED, JUDGING, WRITTEN)
                and not one.shown
                and one.assignment in assignments
                and self._later.get(one.id, 0.0) < time.monotonic()
            ]
        batch: list[HandIn] = []
        for one in ready[: self.warm.count]:
            # One run has one assignment, and no student twice.
            if one.assignment != ready[0].assignment or one.student in {other.student for other in batch}:
                break
            batch.append(one)
        return batch

    def _grade(self, gradebook: Gradebook, batch: list[HandIn]) -> list[tuple[str, str]]:
        """Grade these, and give back what came of it, in their order."""
        if not batch:
            return []
        assignment = batch[0].assignment
        todo = [one for one in batch if one.state != WRITTEN]
        if todo:
            self._step(gradebook, todo, JUDGING)
            self._tell(gradebook)
            display = self.display(assignment)
            students = tuple(one.student for one in todo)
            run(self.course, assignment, Choice(students, self.warm.count, warm=self.warm), display)
            graded = self._stamps("autograded", assignment)
            done = [one for one in todo if graded.get(one.student) == one.work and one.student not in display.failed]
            self._postpone(one for one in todo if one not in done)
            self._step(gradebook, [one for one in todo if one not in done], QUEUED)
            self._step(gradebook, done, WRITTEN)
            batch = [one for one in batch if one not in todo or one in done]
        return [(one.assignment, one.student) for one in batch if self._give_back(gradebook, one)]

    def _give_back(self, gradebook: Gradebook, one: HandIn) -> bool:
        """Write a student's pages as they may be read now, and release them.  Returns whether they were."""
        if self._stamps("autograded", one.assignment).get(one.student) != one.work:  # newer work was graded meanwhile
            self._step(gradebook, [one], REPLACED, done_at=one.done_at or _now())
            return False
        with one_transaction(gradebook) as session:
            level = self._rules(one.assignment).shown(self._due(session)(one), _now())
        if level == "nothing":
            self._notes.finish(gradebook, one, level)
            self._step(gradebook, [one], WRITTEN, shown=level, done_at=one.done_at or _now())
            return False
        released = self._succeeded(self._api.generate_feedback(one.assignment, one.student, force=True))
        released = released and self._succeeded(self._api.release_feedback(one.assignment, one.student))
        if not released:
            self._postpone([one])
            return False
        self._notes.finish(gradebook, one, level)
        self._step(gradebook, [one], RELEASED, shown=level, done_at=one.done_at or _now())
        return True

    def _show_more(self, gradebook: Gradebook, assignments: Sequence[str]) -> list[tuple[str, str]]:
        """Give those whose work is due by now the pages that show all."""
        with one_transaction(gradebook) as session:
            due = self._due(session)
            more = [
                one
                for one in open_ones(session)
                if one.shown
                and one.assignment in assignments
                and self._rules(one.assignment).shown(due(one), _now()) != one.shown
                and self._later.get(one.id, 0.0) < time.monotonic()
            ]
        return [(one.assignment, one.student) for one in more if self._give_back(gradebook, one)]

    # --- what all of them need ------------------------------------------------------------------------------------

    def _tell(self, gradebook: Gradebook) -> None:
        """Write down for each student how far their work is."""
        with one_transaction(gradebook) as session:
            ones, now, due = open_ones(session), _now(), self._due(session)
            number = places(ones)
            for one in ones:
                until = None
                if one.place is None and one.state in BEFORE:
                    until = waits_until(session, one, self._rules(one.assignment), due(one), now)
                troubled = one.id in self._later
                self._notes.write(one, number.get(one.id, 0), len(number), until, troubled)

    def _due(self, session: Session) -> Callable[[HandIn], datetime | None]:
        opens = opening(self.course)
        return lambda one: due_of(session, one.student, one.assignment, opens)

    def _step(self, gradebook: Gradebook, ones: Iterable[HandIn], state: str, **more: Any) -> None:
        """All of these have come so far."""
        for one in ones:
            with one_transaction(gradebook) as session:
                row = session.get(HandIn, one.id)
                if row is None:  # the student was forgotten meanwhile
                    continue
                row.state = one.state = state
                for name, value in more.items():
                    setattr(row, name, value)
                    setattr(one, name, value)
            if state in (RELEASED, WRITTEN):
                self._later.pop(one.id, None)
            self._reached(state, [(one.student, one.assignment)])

    def _postpone(self, ones: Iterable[HandIn]) -> None:
        self._later |= {one.id: time.monotonic() + RETRY_SECONDS for one in ones}

    def _reached(self, step: str, whose: Iterable[tuple[str, str]]) -> None:
        for student, assignment in whose:
            self.reached(step, student, assignment)

    def _stamps(self, step: str, assignment: str) -> dict[str, str]:
        """When what lies in submitted/ or autograded/ was handed in, for each student."""
        found = {}
        for folder in (self.course.root / step).glob(f"*/{assignment}"):
            stamp = folder / TIMESTAMP
            found[folder.parent.name] = stamp.read_text(errors="replace")[:MOST] if stamp.is_file() else ""
        return found

    def _succeeded(self, done: dict[str, Any]) -> bool:
        if done.get("log"):
            self.note(str(done["log"]).strip())
        if not done["success"]:
            self.note(str(done.get("error", "")).strip().rpartition("\n")[2])
        return bool(done["success"])


def _now() -> datetime:
    """UTC, as the gradebook keeps times."""
    return datetime.now(UTC).replace(tzinfo=None)

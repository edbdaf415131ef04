"""Releases feedback pages: before the due date what students may see, after it everything."""

from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future, wait
from dataclasses import dataclass

from nbgrader.api import Gradebook

from ..course.on_submission import Level
from ..records.database import one_transaction
from ..records.queue import JUDGING, RELEASED, REPLACED, WRITTEN
from ..records.tables import QueueEntry, utc_now
from .notes import Notes
from .pages import Made, PageMakers
from .progress import Progress


@dataclass(frozen=True)
class _Pages:
    """A submission's pages in the making."""

    one: QueueEntry
    level: Level  # how much the pages show
    made: "Future[Made] | None"  # None for no pages


class Releaser:
    """Releases the pages of graded submissions, in the order in which they were graded."""

    def __init__(self, progress: Progress, makers: PageMakers, notes: Notes) -> None:
        self._progress, self._makers, self._notes = progress, makers, notes
        self._pending: deque[_Pages] = deque()

    def is_graded(self, one: QueueEntry) -> bool:
        """Whether this is the student's last graded work."""
        folder = self._progress.course.root / "autograded" / one.student / one.assignment
        return folder.is_dir() and self._progress.stamp(folder) == one.work

    @property
    def students(self) -> set[tuple[str, str]]:
        """The students whose pages are being made, with the assignment."""
        return {(pages.one.student, pages.one.assignment) for pages in self._pending}

    def begin(self, gradebook: Gradebook, ones: Iterable[QueueEntry]) -> None:
        """Make the pages that these students may see now. Failures are retried."""
        for one in ones:
            try:
                self._begin(gradebook, one)
            except Exception as problem:  # it concerns only this submission
                self._progress.failed([one], problem)

    def _begin(self, gradebook: Gradebook, one: QueueEntry) -> None:
        if not self.is_graded(one):  # false if newer work was graded meanwhile
            self._progress.advance(gradebook, [one], REPLACED, done_at=one.done_at or utc_now())
            return
        with one_transaction(gradebook) as session:
            level = self._progress.rules(one.assignment).shown(self._progress.due(session)(one), utc_now())
        made = None if level == "nothing" else self._makers.submit(one.assignment, one.student)
        self._pending.append(_Pages(one, level, made))

    def finish(self, gradebook: Gradebook, seconds: float = 0.0) -> list[tuple[str, str]]:
        """Release pages that are ready within a time limit; return their assignments and students."""
        if self._pending and self._pending[0].made is not None:
            wait([self._pending[0].made], seconds)
        released = []
        while self._pending and (self._pending[0].made is None or self._pending[0].made.done()):
            pages = self._pending.popleft()
            try:
                if self._finish(gradebook, pages):
                    released.append((pages.one.assignment, pages.one.student))
            except Exception as problem:  # it concerns only this submission
                self._progress.failed([pages.one], problem)
        return released

    def _finish(self, gradebook: Gradebook, pages: _Pages) -> bool:
        one, shows = pages.one, pages.made is not None
        if pages.made is not None and not all(map(self._progress.succeeded, pages.made.result())):
            self._progress.postpone([one.id])
            return False
        with one_transaction(gradebook) as session:
            row = session.get(QueueEntry, one.id)
            if row is not None and row.state == JUDGING:  # graded again, for a partner's newer work
                return shows
        self._notes.finish(gradebook, one, pages.level)
        state = RELEASED if shows else WRITTEN
        self._progress.advance(gradebook, [one], state, shown=pages.level, done_at=one.done_at or utc_now())
        return shows

    def incomplete(self, gradebook: Gradebook) -> list[QueueEntry]:
        """Return the submissions that are now due and whose pages do not show everything yet."""
        with one_transaction(gradebook) as session:
            due, making = self._progress.due(session), self.students
            return [
                one
                for one in self._progress.unfinished(session)
                if one.shown
                and self._progress.rules(one.assignment).shown(due(one), utc_now()) != one.shown
                and not self._progress.is_postponed(one.id)
                and (one.student, one.assignment) not in making
            ]

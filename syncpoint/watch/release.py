"""Releases feedback pages: as much as a student may see before the due date, and everything after it."""

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI

from ..records.database import one_transaction
from ..records.queue import RELEASED, REPLACED, WRITTEN
from ..records.tables import QueueEntry, utc_now
from .notes import Notes
from .progress import Progress


class Releaser:
    """Makes the pages of graded submissions and releases them."""

    def __init__(self, progress: Progress, api: NbGraderAPI, notes: Notes) -> None:
        self._progress, self._api, self._notes = progress, api, notes

    def is_graded(self, one: QueueEntry) -> bool:
        """Whether this is the student's last graded work."""
        folder = self._progress.course.root / "autograded" / one.student / one.assignment
        return folder.is_dir() and self._progress.stamp(folder) == one.work

    def release(self, gradebook: Gradebook, ones: list[QueueEntry]) -> list[tuple[str, str]]:
        """Release what these students may see now, and return the assignments and students of the pages.

        Failures are retried.
        """
        released = []
        for one in ones:
            try:
                if self._release(gradebook, one):
                    released.append((one.assignment, one.student))
            except Exception as problem:  # of this submission alone
                self._progress.failed([one], problem)
        return released

    def _release(self, gradebook: Gradebook, one: QueueEntry) -> bool:
        if not self.is_graded(one):  # newer work was graded meanwhile
            self._progress.advance(gradebook, [one], REPLACED, done_at=one.done_at or utc_now())
            return False
        with one_transaction(gradebook) as session:
            level = self._progress.rules(one.assignment).shown(self._progress.due(session)(one), utc_now())
        shows = level != "nothing"
        if shows:
            released = self._progress.succeeded(self._api.generate_feedback(one.assignment, one.student, force=True))
            if not released or not self._progress.succeeded(self._api.release_feedback(one.assignment, one.student)):
                self._progress.postpone([one.id])
                return False
        self._notes.finish(gradebook, one, level)
        state = RELEASED if shows else WRITTEN
        self._progress.advance(gradebook, [one], state, shown=level, done_at=one.done_at or utc_now())
        return shows

    def incomplete(self, gradebook: Gradebook) -> list[QueueEntry]:
        """Return the submissions that are now due and whose pages do not show everything yet."""
        with one_transaction(gradebook) as session:
            due = self._progress.due(session)
            return [
                one
                for one in self._progress.unfinished(session)
                if one.shown
                and self._progress.rules(one.assignment).shown(due(one), utc_now()) != one.shown
                and not self._progress.is_postponed(one.id)
            ]

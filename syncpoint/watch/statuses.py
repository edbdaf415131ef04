"""Keeps the status that each waiting student sees up to date."""

from collections.abc import Sequence

from nbgrader.api import Gradebook

from ..records.database import one_transaction
from ..records.queue import BEFORE, Wait, places, wait_of
from ..records.student_details import languages
from ..records.tables import QueueEntry, utc_now
from .notes import Notes
from .progress import Pace, Progress

STATUS_NOT_WRITTEN = "{assignment}: the status could not be shown to {student}: {reason}"


class Statuses:
    """The status of each unfinished submission: its place in the queue, what it waits for, or a problem on our side."""

    def __init__(self, progress: Progress, notes: Notes, pace: Pace) -> None:
        self._progress, self._notes, self._pace = progress, notes, pace
        self._languages: dict[str, str] = {}  # by student, as they were read last

    def write_all(self, gradebook: Gradebook) -> None:
        """Write the status of each unfinished submission."""
        with one_transaction(gradebook) as session:
            ones, due = self._progress.unfinished(session), self._progress.due(session)
            self._languages = languages(session)
            number = places([one for one in ones if not self._progress.has_failed(one)])
            for one in ones:
                wait = None
                if one.place is None and one.state in BEFORE:
                    wait = wait_of(session, one, self._progress.rules(one.assignment), due(one), utc_now())
                self._write(one, number.get(one.id, 0), len(number), wait)

    def write_begun(self, ones: Sequence[QueueEntry]) -> None:
        """Write the status of submissions that are being judged now."""
        for one in ones:
            self._write(one)

    def _write(self, one: QueueEntry, place: int = 0, waiting: int = 0, wait: Wait | None = None) -> None:
        troubled, language = self._progress.has_failed(one), self._languages.get(one.student, "")
        try:
            self._notes.write(one, place, waiting, self._pace.seconds(place), wait, troubled, language)
        except (OSError, ValueError) as problem:  # only the note is lost: the work is graded
            why = getattr(problem, "strerror", None) or str(problem)
            message = STATUS_NOT_WRITTEN.format(assignment=one.assignment, student=one.student, reason=why)
            self._progress.note_once(f"{one.student}/{one.assignment}", message)

"""Brings submissions from nbgrader's exchange into the queue."""

import contextlib
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..nbgrader_hooks.exchange_collect import Collect, is_complete, owner_of, whose
from ..records.database import one_transaction
from ..records.queue import COLLECTED, HELD, QUEUED, RELEASED, close, enter, known, let_in
from ..records.tables import NotebookRecord, utc_now
from .notes import Notes, secret_name
from .progress import Progress


class Inbox:
    """The submissions in the exchange's folder ``inbound``."""

    def __init__(self, progress: Progress, api: NbGraderAPI, inbound: Path, notes: Notes) -> None:
        self._progress, self._course, self._notes = progress, progress.course, notes
        self._api, self._inbound = api, inbound
        self._check_owner = Collect(config=self._course.settings()).check_owner
        self._seen: dict[str, frozenset[str]] = {}  # by assignment
        self.to_enter: set[str] = set()  # assignments with collected submissions that may not be in the queue yet

    def collect(self, assignment: str, busy: Collection[str] = ()) -> None:
        """Collect new submissions into ``submitted/``, but none of ``busy`` students, whose work is being graded."""
        seen = self._seen.get(assignment, frozenset())
        found = frozenset(one for one in self._complete(assignment) if one in seen or whose(one) not in busy)
        if self._seen.get(assignment) == found or self._progress.is_postponed(assignment):
            return
        if self._progress.succeeded(self._api.collect(assignment)):
            self._seen[assignment] = found
        else:
            self._progress.postpone([assignment])
        self.to_enter.add(assignment)

    def _complete(self, assignment: str) -> frozenset[str]:
        names = set()
        for folder in self._inbound.glob(f"*+{assignment}+*"):
            with contextlib.suppress(OSError):  # removed meanwhile
                names |= {folder.name} if is_complete(folder) else set()
        return frozenset(names)

    def enter_all(self, gradebook: Gradebook) -> None:
        """Enter the collected submissions into the queue, and give a place to those that can have one."""
        for name in sorted(self.to_enter):
            try:
                self._enter(gradebook, name)
            except Exception as problem:  # it is collected again; a missing gradebook stops the next step
                self._seen.pop(name, None)
                self._progress.skip(name, problem)
            self.to_enter.remove(name)
        with one_transaction(gradebook) as session:
            ones, due, now = self._progress.unfinished(session), self._progress.due(session), utc_now()
            close(ones, self._progress.rules, due, now)
            waiting = [one for one in ones if one.state in (COLLECTED, HELD)]
            let_in(session, waiting, self._progress.rules, due, now)
            queued = [(one.student, one.assignment) for one in waiting if one.state == QUEUED]
        self._progress.reached(QUEUED, queued)

    def _enter(self, gradebook: Gradebook, assignment: str) -> None:
        """Enter unknown submissions, in order of time.

        Work graded before the assignment was watched is finished; the course itself releases its feedback.
        """
        entered, replaced = [], []
        now, times = utc_now(), self.times(assignment)
        stamps = self._stamps("submitted", assignment).items()
        with one_transaction(gradebook) as session:
            before = known(session, assignment)
            finished = {} if before else self._finished(session, assignment)
            for student, work in sorted(stamps, key=lambda one: times.get(one[0], datetime.min)):
                if work in before.get(student, ()):
                    continue
                name = secret_name(self._course.root / "submitted" / student / assignment, assignment)
                new = enter(session, student, assignment, work, name, min(now, times.get(student, now)))
                if new is None:
                    continue
                if finished.get(student) == work:
                    new[0].state, new[0].shown, new[0].done_at = RELEASED, "all", now
                    continue
                replaced.append(new[1])
                entered.append((student, assignment))
        for name in replaced:
            self._notes.remove(name)
        self._progress.reached(COLLECTED, entered)

    def times(self, assignment: str) -> dict[str, datetime]:
        """Return when each student's last submission was complete, by the disk's clock; time stamps are not trusted."""
        last: dict[str, int] = {}
        for name in self._seen.get(assignment, ()):
            student = whose(name)
            with contextlib.suppress(OSError):
                status = (self._inbound / name).lstat()
                if not self._check_owner or owner_of(status) == student:
                    last[student] = max(last.get(student, 0), status.st_ctime_ns)
        return {
            student: datetime.fromtimestamp(time // 1000 / 10**6, UTC).replace(tzinfo=None)
            for student, time in last.items()
        }

    def _finished(self, session: Session, assignment: str) -> dict[str, str]:
        """Return the time stamps of fully graded submissions, for each student."""
        wanted = {path.stem for path in (self._course.root / "release" / assignment).glob("*.ipynb")}
        graded: dict[str, set[str]] = {}
        rows = select(NotebookRecord.student, NotebookRecord.notebook).where(NotebookRecord.assignment == assignment)
        for student, notebook in session.execute(rows):
            if (self._course.root / "autograded" / student / assignment / f"{notebook}.ipynb").is_file():
                graded.setdefault(student, set()).add(notebook)
        stamps = self._stamps("autograded", assignment)
        return {student: work for student, work in stamps.items() if wanted <= graded.get(student, set())}

    def _stamps(self, step: str, assignment: str) -> dict[str, str]:
        """Return the time stamp of each student's work in submitted/ or autograded/."""
        folders = (self._course.root / step).glob(f"*/{assignment}")
        return {folder.parent.name: self._progress.stamp(folder) for folder in folders}

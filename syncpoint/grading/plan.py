"""Plans a run: skips unchanged submissions, and finds stored results of the others."""

import contextlib
import hashlib
import json
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.api import Assignment
from sqlalchemy import select
from sqlalchemy.orm import Session

from ..course.tries import which_counts
from ..judge.job import NotebookJob, Result
from ..judge.result_store import Store
from ..records.accommodations import excused
from ..records.tables import ExtensionRecord, NotebookRecord, TimeFactorRecord, TryRecord
from ..report.notebook import wording
from ..translations.catalogue import digest
from .read_submissions import Reader, Submission
from .submission_cache import CachedSubmission, SubmissionCache, file_states
from .try_files import TryFiles, close

MAX_FORCED_RUN_SECONDS = 24 * 3600  # seconds: an interrupted --force run that is older is not continued
GOES_ON = "Continuing the unfinished --force run that began at {:%H:%M}: its results are used."


class Plan:
    """The plan of one run.

    ``copies`` returns the folder for a student's graded work; ``force`` judges and writes again what is known.  Results
    in the store that are older than ``since`` (nanoseconds of the file system's clock) are ignored.
    """

    def __init__(self, reader: Reader, copies: Callable[[str], Path], force: bool, since: int):
        self._reader, self._copies, self._force, self._since = reader, copies, force, since
        self._assignment = reader.spec.assignment
        self.store = Store(reader.course.results)
        self._cache = SubmissionCache.of(reader.course.state, self._assignment)
        self.counts = which_counts(reader.course.settings())
        self._files = TryFiles(reader.course.root, self._assignment)
        self._tries: dict[str, list[tuple[str, datetime | None, str]]] = {}  # tries that may count, by student
        self._times: dict[str, str] = {}  # what decides how late a submission is, by student
        self._decides, self._recorded = "", dict[tuple[str, str], str | None]()

    def refresh(self, session: Session) -> None:
        """Read the gradebook's part of the decision, and the results behind each student's verdicts."""
        reader, course, spec = self._reader, self._reader.course, self._reader.spec
        release = sorted((course.root / "release" / self._assignment).glob("*.ipynb"))
        files = hashlib.sha256(b"".join(path.read_bytes() for path in (*release, *course.settings_files))).hexdigest()
        due = session.scalar(select(Assignment.duedate).where(Assignment.name == self._assignment))
        self._decides = files + spec.digest + wording(spec, course.misconceptions_page)
        self._decides += digest(course, self._assignment) + str(due)  # a late penalty depends on it
        wanted = select(NotebookRecord.student, NotebookRecord.notebook, NotebookRecord.result_key)
        rows = session.execute(wanted.where(NotebookRecord.assignment == reader.spec.assignment))
        self._recorded = {(student, notebook): result for student, notebook, result in rows}
        if self.counts != "newest":
            self._read_tries(session)

    def _read_tries(self, session: Session) -> None:
        """Read which earlier submissions may count, and how late each student may be."""
        tries = select(TryRecord).where(TryRecord.assignment == self._assignment).order_by(TryRecord.id)
        self._tries = defaultdict(list)
        for row in session.scalars(tries):
            if row.chosen or self.counts == "best":
                self._tries[row.student].append((row.digest, row.submitted_at, row.submitter))
        given = select(ExtensionRecord).where(ExtensionRecord.assignment == self._assignment)
        times: dict[str, list[float | str]] = defaultdict(list)
        for one in session.scalars(given):
            times[one.student] += [one.given, one.written]
        for factor in session.scalars(select(TimeFactorRecord)):
            times[factor.student].append(factor.factor)
        for student, assignment in excused(session):
            times[student] += ["excused"] if assignment == self._assignment else []
        self._times = {student: repr(values) for student, values in times.items()}

    def _decides_for(self, student: str) -> str:
        if self.counts == "best":
            return self._decides + "best" + self._times.get(student, "")
        return self._decides + repr(self._tries.get(student, ""))

    def is_unchanged(self, submission: Submission) -> bool:
        """Whether nothing that decides a submission's marks has changed since they were committed."""
        self._reader.look(submission, self._decides_for(submission.student))
        cached = self._cache.get(submission.student)
        return cached is not None and not self._force and self._is_committed(submission, cached)

    def read_jobs(self, submission: Submission) -> dict[str, NotebookJob]:
        """Read a submission, and the student's earlier tries that may count; return their jobs by their keys."""
        jobs = self._reader.read(submission)
        for its, at, submitter in self._tries.get(submission.student, ()):
            same = its == submission.work.digest and (at is None or at == submission.work.time)
            partners = submitter in ("", submission.submitter)  # former partners no longer give a mark
            if partners and not same and (folder := self._files.open(submission.student, its)) is not None:
                other = Submission(folder, submission.student, submitter)
                weakref.finalize(other, close, folder)
                jobs |= self._reader.read(other)
                submission.tries.append(other)
        return jobs

    def find(self, key: str) -> Result | None:
        return self.store.get(key, self._since)

    def remember(self, submission: Submission, keys: Mapping[str, str | None]) -> None:
        """Remember committed results, so that the next run need not read the submission again."""
        state = self._state(submission)
        if state is not None:
            with contextlib.suppress(OSError):  # it only saves time
                self._cache.put(submission.student, CachedSubmission(submission.content, dict(keys), state))

    def _is_committed(self, submission: Submission, cached: CachedSubmission) -> bool:
        """Whether autograded/ and the gradebook have exactly what would be committed now.

        This detects work that a killed run left incomplete; nothing else recovers it.
        """
        recorded = {name: self._recorded.get((submission.student, name), "") for name in cached.keys}
        known = (cached.content, cached.keys, cached.committed)
        return known == (submission.content, recorded, self._state(submission))

    def _state(self, submission: Submission) -> dict[str, tuple[int, int, int]] | None:
        copies = self._copies(submission.student)
        return file_states([copies / f"{name}.ipynb" for name in self._reader.released])


@dataclass(frozen=True)
class ForcedRun:
    """The mark of an unfinished ``--force`` run, which lets the next one continue it.

    Results in the store that are newer than the mark were judged by this run, or while it was cut off.
    """

    path: Path  # a file on the store's file system, so that one clock sets both times

    @classmethod
    def of(cls, folder: Path, assignment: str, students: Sequence[str]) -> "ForcedRun":
        """The mark of a run for these students: names or patterns."""
        whom = json.dumps([assignment, sorted(students)])
        return cls(folder / hashlib.sha256(whom.encode()).hexdigest()[:32])

    def begin(self, note: Callable[[str], None]) -> int:
        """Begin, or continue an interrupted run and note it, or raise OSError.

        Returns when the run began, in nanoseconds of the file system's clock.
        """
        began = 0.0
        with contextlib.suppress(OSError):
            began = self.path.stat().st_mtime
        if time.time() - began < MAX_FORCED_RUN_SECONDS:
            note(GOES_ON.format(datetime.fromtimestamp(began)))
        else:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.unlink(missing_ok=True)
            self.path.touch()
        return self.path.stat().st_mtime_ns

    def end(self) -> None:
        """Remove the mark, because everybody is graded."""
        with contextlib.suppress(OSError):
            self.path.unlink()

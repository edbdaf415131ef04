"""The one who writes: nbgrader's converter, which has others judge and writes what they found."""

import contextlib
import difflib
import fnmatch
import glob
import hashlib
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from distributed import Client
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import Autograde
from nbgrader.converters.base import NbGraderException
from nbgrader.utils import rmtree
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from ..judge.answer import Answer
from ..judge.course import Course
from ..judge.job import NotebookJob, Result, key
from ..judge.store import Store
from ..nbgrader_hooks.failures import explain, reason, unforeseen
from ..nbgrader_hooks.preprocessor import NOT_KEPT
from ..nbgrader_hooks.timestamps import check_name, linked
from ..records.tables import NotebookRecord
from ..report.notebook import wording
from .cluster import ClusterGone, Workers
from .display import Display, Ended, Outcome
from .exporter import QuietExporter
from .precomputed import with_results
from .submission_cache import CachedSubmission, SubmissionCache, content, written

ELSEWHERE = "Another run is at these now: {}. Waiting until it is done with them."
SHOWN = 5
NOBODY = "nobody whose name is or fits {!r} has submitted {}"
NOTHING = "nobody has submitted {assignment}: there is no folder submitted/<student>/{assignment}."
EXCLUDED = "the configuration leaves this student out (student_id_exclude)."
ADVICE = "There was an error processing assignment"


@dataclass(eq=False)
class Submission:
    """A submission that is being dealt with.

    folder: in submitted/.  notebooks: their paths there.  content: see
    :func:`.submission_cache.content`; "" if it cannot be read.
    keys: the result of each notebook, by its name; None for one that cannot be run.  missing: of these, the results
    that are still being judged.  seconds: how long it was judged for.
    """

    folder: Path
    notebooks: list[Path]
    content: str = ""
    keys: dict[str, str | None] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)
    seconds: float = 0.0

    @property
    def student(self) -> str:
        """Whose it is."""
        return self.folder.parent.name


class Coordinator(Autograde):
    """nbgrader's Autograde, except that workers judge, and that only what has changed is written.

    client: gives the connection to the cluster; it is called when the first job is to be judged.  display: shows
    what happens.  force: judge also what is in the store.  students: the names, or patterns of names, of those to be
    graded; the course directory is asked for all.  results: of this run, while they are being written.

    A submission is claimed from the listing to its end; what another run has claimed is waited for.  On its way it is
    *taken up*; it is in ``_waiting`` under the key of each result that is *judged* for it; then it is *written*, and
    ended.  Its results are in ``results`` as long as anybody needs them, and in the store (``_judged``) if they last.
    """

    def __init__(
        self,
        client: Callable[[], Client],
        display: Display,
        force: bool,
        students: Sequence[str] = ("*",),
        **keywords: Any,
    ):
        super().__init__(exporter_class=QuietExporter, log=_log(self._heard), **keywords)
        self._client, self._display, self._anew, self._students = client, display, force, students
        self.autograde_preprocessors = with_results(super().autograde_preprocessors)
        self.results: dict[str, Result] = {}
        self._waiting: dict[str, list[Submission]] = {}
        self._judged: set[str] = set()  # in this run, and in the store
        self._workers: Workers | None = None
        self._gone = ""  # why the cluster judges nothing more
        self._said: list[str] | None = None  # what nbgrader logs while it writes a submission

    @property
    def _excluded(self) -> set[str]:
        return set(filter(None, self.coursedir.student_id_exclude.split(",")))

    def asked_for(self, student: str) -> bool:
        """Whether this student is to be graded."""
        return student not in self._excluded and any(_fits(student, pattern) for pattern in self._students)

    def init_notebooks(self) -> None:
        """List the submissions of those who are to be graded."""
        self.assignments = {}
        submitted = glob.glob(self._format_source(self.coursedir.assignment_id, "*"))
        if not submitted:
            nothing = NOTHING.format(assignment=self.coursedir.assignment_id)
            self.log.error(nothing)
            raise NbGraderException(nothing)
        for folder in submitted:
            if self.asked_for(Path(folder).parent.name):
                self.assignments[folder] = glob.glob(f"{glob.escape(folder)}/{self.coursedir.notebook_id}.ipynb")

    def convert_notebooks(self) -> None:
        """Grade all that was listed.  Nobody who fails stops the others."""
        with self._told():
            self._prepare()
        listed = {
            folder: sorted(path for path in map(Path, paths) if path.parent == folder and path.stem in self._released)
            for folder, paths in ((Path(folder), paths) for folder, paths in self.assignments.items())
        }
        elsewhere, last = sorted(map(Path, self.exporter.elsewhere)), set(self._course.last)
        nobody = self._names_of_nobody([folder.parent.name for folder in listed])
        self._display.begin(len(listed))
        for pattern, why in nobody.items():
            self._display.nobody(pattern, why)
        with contextlib.ExitStack() as stack:
            self._stack = stack
            here = sorted(set(listed).difference(elsewhere), key=lambda folder: (_claim(folder) in last, folder))
            self._grade(Submission(folder, listed[folder]) for folder in here)
            if elsewhere:
                names = [folder.parent.name for folder in elsewhere]
                more = f", and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
                self._display.note(ELSEWHERE.format(", ".join(names[:SHOWN]) + more))
                for folder in elsewhere:
                    self.exporter.claims.take(_claim(folder))
                with self._told():
                    self._recorded = self._read_recorded()
                self._grade(Submission(folder, listed[folder]) for folder in elsewhere)

    def _grade(self, submissions: Iterable[Submission]) -> None:
        """Grade these, which this run has claimed: as many at a time as keep all workers busy."""
        todo = iter(submissions)
        submission = next(todo, None)
        while submission is not None or self._waiting:
            if submission is not None and (self._workers is None or self._gone or self._workers.room > 0):
                self._take_up(submission)
                submission = next(todo, None)
            else:
                self._receive()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """A gradebook or a disk that does not do its part in this block ends the run in a sentence."""
        try:
            yield
        except (DBAPIError, OSError) as problem:
            self.log.error(explain(problem) or str(problem))
            raise NbGraderException(str(problem)) from None

    # --- before -------------------------------------------------------------------------------------------------

    def _prepare(self) -> None:
        assignment = self.coursedir.assignment_id
        self._course = course = Course(Path(self.coursedir.root))
        self._spec = self.exporter.reader.spec(assignment)
        self._store = Store(course.results)
        self._cache = SubmissionCache(course.results.parent / "submissions" / assignment)
        release = sorted((course.root / "release" / assignment).glob("*.ipynb"))
        self._released = {path.stem for path in release}
        decides = [*release, *course.settings_files]
        self._beside = hashlib.sha256(b"".join(path.read_bytes() for path in decides)).hexdigest() + self._spec.digest
        self._beside += wording(self._spec, course.misconceptions_page)
        self._recorded = self._read_recorded()
        gradebook = Gradebook(self.coursedir.db_url, self.coursedir.course_id)
        with gradebook, contextlib.suppress(MissingEntry):  # a late penalty hangs on it
            self._beside += str(gradebook.find_assignment(assignment).duedate)

    def _read_recorded(self) -> dict[tuple[str, str], str]:
        """Of which result each student's verdicts on each notebook are, in the gradebook."""
        wanted = select(NotebookRecord.student, NotebookRecord.notebook, NotebookRecord.result)
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            found = gradebook.db.execute(wanted.where(NotebookRecord.assignment == self.coursedir.assignment_id))
            return {(student, notebook): result for student, notebook, result in found}

    def _names_of_nobody(self, listed: list[str]) -> dict[str, str]:
        """Of what was asked for that which fits nobody, with a sentence each."""
        reasons = {}
        for pattern in self._students:
            if pattern in self._excluded:
                reasons[pattern] = EXCLUDED
            elif not any(_fits(student, pattern) for student in listed):
                near = difflib.get_close_matches(pattern, listed, 1)
                meant = f"; did you mean {near[0]!r}?" if near else ": look into submitted/ for how it is written."
                reasons[pattern] = NOBODY.format(pattern, self.coursedir.assignment_id) + meant
        return reasons

    # --- one submission -----------------------------------------------------------------------------------------

    def _take_up(self, submission: Submission) -> None:
        """See what a submission needs: nothing, to be written, or to be judged first."""
        jobs: dict[str, NotebookJob | None] = {}
        try:
            check_name(submission.folder)
            self.exporter.admission.admit(str(submission.folder))
            if not linked(submission.folder):  # nbgrader says why it is refused
                submission.content = content(submission.folder, self._spec.limits.disk_mib * 2**20, self._beside)
                cached = self._cache.get(submission.student)
                if cached is None or cached.content != submission.content:
                    cached = None
                if cached is not None and not self._anew and self._is_written(submission, cached):
                    return self._end(submission, "unchanged")
                if cached is None or not all(map(self._is_known, cached.keys.values())):
                    read = {path.stem: self.exporter.reader.read(path) for path in submission.notebooks}
                    jobs = {name: None if notebook.refused else notebook.job for name, notebook in read.items()}
                    submission.keys = {
                        name: None if job is None else key(self._spec, job) for name, job in jobs.items()
                    }
                else:
                    submission.keys = cached.keys
            sought = {name: jobs[known] for known, name in submission.keys.items() if name and not self._is_known(name)}
        except Exception as problem:  # whatever lies in that folder, the others are graded
            return self._failed(submission, reason(problem) or unforeseen(problem))
        submission.missing = set(sought)
        new = sought.keys() - self._waiting.keys()
        for name in sought:
            self._waiting.setdefault(name, []).append(submission)
        for name in [name for name in sought if name in new]:
            if name in self._waiting:  # else the cluster has gone, and the submission is done with
                self._send(name, sought[name])
        if not sought:
            self._write(submission)

    def _is_written(self, submission: Submission, cached: CachedSubmission) -> bool:
        """Whether autograded/ and the gradebook hold just what would be written now."""
        copy = Path(self._format_dest(self.coursedir.assignment_id, submission.student))
        recorded = {name: self._recorded.get((submission.student, name), "") for name in cached.keys}
        paths = [copy / path.name for path in submission.notebooks]
        return recorded == cached.keys and cached.written == written(paths)

    def _is_known(self, name: str | None) -> bool:
        """Whether the result of this name need not be judged."""
        if name is None or name in self._judged or name in self.results:
            return True
        return not self._anew and self._store.get(name) is not None

    def _send(self, name: str, job: NotebookJob | None) -> None:
        assert job is not None
        try:
            if self._workers is None and not self._gone:
                workers = Workers(self._client(), self._spec, self._begun, self._display.workers, self._display.note)
                self._workers = self._stack.enter_context(workers)
            if self._workers is not None and not self._gone:
                self._workers.send(name, job)
        except ClusterGone as problem:
            self._gone = str(problem)
        except Exception as problem:  # this job cannot be sent
            self._fail_all(name, reason(problem) or unforeseen(problem))
        if self._gone:
            self._fail_all(name, self._gone)

    def _receive(self) -> None:
        """Wait for an answer, and write whom it completes."""
        assert self._workers is not None
        try:
            name, answer = self._workers.next()
        except ClusterGone as problem:
            self._gone = str(problem)
            for waited_for in list(self._waiting):
                self._fail_all(waited_for, self._gone)
            return
        for submission in self._waiting.get(name, ())[:1]:  # nobody may wait any more
            self._display.judged(answer.worker, submission.student)
        if answer.died:
            for submission in self._waiting.get(name, ()):
                self._course.last.add(_claim(submission.folder))
        if answer.result is None:
            self._fail_all(name, f"{answer.host}: {answer.fault}" if answer.host else answer.fault)
            return
        self._keep(name, answer)
        for submission in self._waiting.pop(name, ()):
            submission.missing.discard(name)
            submission.seconds += answer.seconds
            for warning in answer.result.warnings:
                self._display.note(f"{submission.student}: {warning}")
            if not submission.missing:
                self._write(submission)
        needed = {wanted for waiting in self._waiting.values() for other in waiting for wanted in other.keys.values()}
        self.results = {kept: result for kept, result in self.results.items() if kept in needed}

    def _keep(self, name: str, answer: Answer) -> None:
        assert answer.result is not None
        self.results[name] = answer.result
        try:
            self._store.put(name, answer.result)
        except OSError as problem:
            whose = ", ".join(submission.student for submission in self._waiting.get(name, ()))
            self._display.note(NOT_KEPT % (whose, problem))
        else:
            self._judged |= {name} if answer.result.cacheable else set()

    def _begun(self, worker: str, name: str) -> None:
        """A worker begins with the job of this name; called in a thread of the client's."""
        waiting = self._waiting.get(name)
        if waiting:
            self._display.judging(worker, waiting[0].student)

    # --- writing ------------------------------------------------------------------------------------------------

    def _write(self, submission: Submission) -> None:
        """Have nbgrader write a submission of which all results are known."""
        self.assignments = {str(submission.folder): [str(path) for path in submission.notebooks]}
        self._said = []
        try:
            self.exporter.admission.admit(str(submission.folder))
            super().convert_notebooks()
            self._course.last.remove(_claim(submission.folder))
        except NbGraderException as problem:
            return self._failed(submission, next(iter(self._said), str(problem)))
        except Exception as problem:
            return self._failed(submission, reason(problem) or unforeseen(problem))
        finally:
            self._said = None
        copy = Path(self._format_dest(self.coursedir.assignment_id, submission.student))
        state = written([copy / path.name for path in submission.notebooks])
        if state is not None:
            with contextlib.suppress(OSError):  # it saves time only
                self._cache.put(submission.student, CachedSubmission(submission.content, submission.keys, state))
        judged: Outcome = "graded" if submission.seconds else "from the store"
        if any(name in self.results and not self.results[name].cacheable for name in submission.keys.values() if name):
            judged = "provisional"
        self._end(submission, judged)

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Make room for a submission: whoever comes here is written, whatever its time stamp says."""
        folder = Path(self._format_dest(assignment_id, student_id))
        if folder.exists():
            rmtree(str(folder))
        return True

    def _fail_all(self, name: str, reason: str) -> None:
        for submission in self._waiting.pop(name, ()):
            for other in submission.missing - {name}:
                self._waiting[other] = [waiting for waiting in self._waiting.get(other, ()) if waiting != submission]
                if not self._waiting[other]:
                    del self._waiting[other]
            self._failed(submission, reason)

    def _failed(self, submission: Submission, why: str) -> None:
        self._end(submission, "not graded", why)  # the display says the rest itself

    def _end(self, submission: Submission, outcome: Outcome, reason: str = "") -> None:
        """This run is done with a submission: another one may have it."""
        self.exporter.claims.release(_claim(submission.folder))
        self._display.ended(Ended(submission.student, outcome, submission.seconds, reason))

    def _heard(self, message: str, why: str) -> None:
        """nbgrader, or a part of ours that stands in its pipeline, logged an error."""
        if self._said is None:
            self._display.note(message)
        elif ADVICE not in message:
            self._said.append(why or message.strip().splitlines()[-1])


def _claim(folder: Path) -> str:
    return "/".join(folder.parts[-2:])


def _fits(student: str, pattern: str) -> bool:
    return student == pattern or fnmatch.fnmatchcase(student, pattern)


def _log(heard: Callable[[str, str], None]) -> logging.Logger:
    """A log that tells errors to whoever listens, and to nobody else: what is said, and the reason behind it."""

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            heard(record.getMessage(), getattr(record, "reason", ""))

    log = logging.Logger("syncpoint.grading", logging.ERROR)
    log.addHandler(Listener())
    return log

"""What a run has to do: whose submissions, in which order, and what each of them still needs."""

import contextlib
import fnmatch
import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import select

from ..core.names import meant
from ..judge.job import NotebookJob, key
from ..judge.store import Store
from ..nbgrader_hooks.reader import ReadNotebook
from ..nbgrader_hooks.timestamps import check_name, linked
from ..records.tables import NotebookRecord
from ..report.notebook import wording
from ..translations.catalogue import digest
from .exporter import QuietExporter
from .submission_cache import CachedSubmission, SubmissionCache, content, written

NOBODY = "nobody whose name is or fits {!r} has submitted {}"
EXCLUDED = "the configuration leaves this student out (student_id_exclude)."


@dataclass(frozen=True)
class Students:
    """Who was asked for.

    Attributes:
        patterns: Names, or patterns of names.
        excluded: By the configuration.
    """

    patterns: Sequence[str]
    excluded: Collection[str]

    def __contains__(self, student: str) -> bool:
        return student not in self.excluded and any(_fits(student, pattern) for pattern in self.patterns)

    def missing(self, listed: list[str], assignment: str) -> dict[str, str]:
        """Of what was asked for that which fits nobody of these, with a sentence each."""
        reasons = {}
        for pattern in self.patterns:
            if pattern in self.excluded:
                reasons[pattern] = EXCLUDED
            elif not any(_fits(student, pattern) for student in listed):
                then = meant(pattern, listed) or ": look into submitted/ for how it is written."
                reasons[pattern] = NOBODY.format(pattern, assignment) + then
        return reasons


def _fits(student: str, pattern: str) -> bool:
    return student == pattern or fnmatch.fnmatchcase(student, pattern)


@dataclass(eq=False)
class Submission:
    """A submission that is being dealt with.

    Attributes:
        folder: In submitted/.
        notebooks: Their paths there.
        content: See :func:`.submission_cache.content`; "" if it cannot be read.
        read: Its notebooks, by their paths, if they had to be read; until it is written.
        keys: The result of each notebook, by its name; None for one that cannot be run.
        seconds: How long it was judged for.
    """

    folder: Path
    notebooks: list[Path]
    content: str = ""
    read: dict[Path, ReadNotebook] = field(default_factory=dict)
    keys: dict[str, str | None] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def student(self) -> str:
        """Whose it is."""
        return self.folder.parent.name

    @property
    def claim(self) -> str:
        """How runs name it to each other: student/assignment."""
        return "/".join(self.folder.parts[-2:])


class Plan:
    """What one run has to do.

    Args:
        exporter: nbgrader's way in, which has checked and claimed what is listed.
        coursedir: nbgrader's, of the assignment.
        listed: The notebooks of each folder.
        copies: Where nbgrader writes the work of a student.
    """

    def __init__(
        self,
        exporter: QuietExporter,
        coursedir: CourseDirectory,
        listed: dict[str, list[str]],
        copies: Callable[[str], Path],
    ):
        self._exporter, self._coursedir, self._copies = exporter, coursedir, copies
        self.course, self.spec = exporter.reader.course, exporter.reader.spec(coursedir.assignment_id)
        kept = self.course.results
        self.store = Store(kept)
        self._cache = SubmissionCache(kept.parent / "submissions" / coursedir.assignment_id)
        release = sorted((self.course.root / "release" / coursedir.assignment_id).glob("*.ipynb"))
        self._beside = self._what_decides_beside(release)
        self.refresh()
        released = {path.stem for path in release}
        self.submissions = [
            Submission(
                Path(folder),
                sorted(path for path in map(Path, paths) if path.parent == Path(folder) and path.stem in released),
            )
            for folder, paths in listed.items()
        ]

    def _what_decides_beside(self, release: list[Path]) -> str:
        """What else than its folder decides what becomes of a submission."""
        decides = [*release, *self.course.settings_files]
        beside = hashlib.sha256(b"".join(path.read_bytes() for path in decides)).hexdigest() + self.spec.digest
        beside += wording(self.spec, self.course.misconceptions_page) + digest(self.course, self.spec.assignment)
        with self._gradebook() as gradebook, contextlib.suppress(MissingEntry):  # a late penalty hangs on it
            beside += str(gradebook.find_assignment(self.spec.assignment).duedate)
        return beside

    def _gradebook(self) -> Gradebook:
        return Gradebook(self._coursedir.db_url, self._coursedir.course_id)

    def refresh(self) -> None:
        """Read of which result each student's verdicts on each notebook are, in the gradebook."""
        wanted = select(NotebookRecord.student, NotebookRecord.notebook, NotebookRecord.result_key)
        with self._gradebook() as gradebook:
            found = gradebook.db.execute(wanted.where(NotebookRecord.assignment == self.spec.assignment))
            self._recorded = {(student, notebook): result for student, notebook, result in found}

    @property
    def here(self) -> list[Submission]:
        """The submissions that this run has claimed; those at which judges died come last."""
        last = set(self.course.last)
        ours = [submission for submission in self.submissions if str(submission.folder) not in self._exporter.elsewhere]
        return sorted(ours, key=lambda submission: (submission.claim in last, submission.folder))

    @property
    def elsewhere(self) -> list[Submission]:
        """Those that another run was at when this one began, in the order in which they are to be waited for."""
        theirs = [submission for submission in self.submissions if str(submission.folder) in self._exporter.elsewhere]
        return sorted(theirs, key=lambda submission: submission.folder)

    def look_at(
        self, submission: Submission, anew: bool, is_known: Callable[[str], bool]
    ) -> dict[str, NotebookJob] | None:
        """Find out what a submission needs.  Raises whatever lies in that folder.

        Args:
            submission: One that this run has claimed.
            anew: Whether it is to be written even if nothing has changed.
            is_known: Whether the result of a key need not be judged.

        Returns:
            The jobs that are to be judged first, by their keys; None if nothing is to be done.
        """
        check_name(submission.folder)
        self._exporter.admission.admit(str(submission.folder))
        if linked(submission.folder):  # nbgrader says why it is refused
            return {}
        submission.content = content(
            submission.folder,
            self.spec.limits.disk_bytes,
            self._beside + self._exporter.reader.languages.get(submission.student, ""),
        )
        cached = self._cache.get(submission.student)
        if cached is not None and cached.content == submission.content:
            if not anew and self._is_written(submission, cached):
                return None
            if all(map(is_known, filter(None, cached.keys.values()))):
                submission.keys = cached.keys
                return {}
        submission.read = {path: self._exporter.reader.read(path) for path in submission.notebooks}
        read = {path.stem: notebook for path, notebook in submission.read.items()}
        jobs = {name: notebook.job for name, notebook in read.items() if not notebook.refused}
        found = {name: key(self.spec, job) for name, job in jobs.items()}
        submission.keys = {name: found.get(name) for name in read}
        return {found[name]: job for name, job in jobs.items() if not is_known(found[name])}

    def _is_written(self, submission: Submission, cached: CachedSubmission) -> bool:
        """Whether autograded/ and the gradebook hold just what would be written now."""
        recorded = {name: self._recorded.get((submission.student, name), "") for name in cached.keys}
        return recorded == cached.keys and cached.written == self._written(submission)

    def _written(self, submission: Submission) -> dict[str, tuple[int, int, int]] | None:
        copies = self._copies(submission.student)
        return written([copies / path.name for path in submission.notebooks])

    def remember(self, submission: Submission) -> None:
        """It was written: the next run need not look at it again.

        Raises:
            OSError: If that cannot be noted.
        """
        state = self._written(submission)
        if state is not None:
            self._cache.put(submission.student, CachedSubmission(submission.content, submission.keys, state))

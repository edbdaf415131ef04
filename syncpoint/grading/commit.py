"""Writes assembled submissions into the gradebook and autograded/; apart from locks, nothing else of a run does.

The rows of up to twenty go in one transaction, with a statement for each table.  A notebook is in autograded/ when its
rows are stored: a run that is interrupted in between leaves none, so the next run grades the submission.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from nbgrader import utils
from nbgrader.api import (
    Assignment,
    Comment,
    Grade,
    Gradebook,
    GradeCell,
    MissingEntry,
    Notebook,
    SolutionCell,
    SourceCell,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
    TaskCell,
    new_uuid,
)
from nbgrader.converters import Autograde
from nbgrader.preprocessors import AssignLatePenalties
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from ..check.status import SECRET
from ..core.atomic_write import write_whole
from ..core.errors import CannotGrade
from ..course.folder import Course
from ..course.shared_files import SharedFiles, linked_or_copied
from ..course.tries import Counts, which_counts
from ..records.accommodations import due_of, excused, students_with_more_time
from ..records.database import locked, one_transaction
from ..records.forget import forget
from ..records.graded_answers import answer_records, store_answer
from ..records.late import opening, penalty_of, seconds_late, write_penalties
from ..records.mark_log import GRADING, acting
from ..records.save_verdicts import save_verdicts
from ..records.tables import NotebookRecord, TryRecord
from ..records.tries import Try, earlier, save_tries, tries_of
from .assemble import AssembledSubmission, Graded, GradedCell, ReleasedCell, ReleasedNotebook
from .read_submissions import Submission
from .try_files import TryFiles

NOT_KEPT = "{}: the files of this submission could not be kept as a try ({})."
NO_PARTNER = "no partner of {} any more"


class ReleaseChanged(CannotGrade):
    """The assignment was released again while it was graded; the message says what to do."""

    def __init__(self) -> None:
        super().__init__("the assignment was released again while it was graded. Grade it again.")


class NoStudent(CannotGrade):
    """The gradebook does not have the student, and the configuration forbids adding one."""

    def __init__(self, student: str):
        super().__init__(f"No student with ID '{student}' exists in the database (c.Autograde.create_student).")


class Committer:
    """Writes the submissions of one assignment.

    ``release`` has its notebooks, as the gradebook has them, by name; ``late`` is the rule on late work, or None.
    """

    def __init__(
        self,
        course: Course,
        autograde: Autograde,
        gradebook: Gradebook,
        release: Mapping[str, ReleasedNotebook],
        late: AssignLatePenalties | None,
    ):
        self.release, self.late = release, late
        self._course, self._autograde, self._gradebook = course, autograde, gradebook
        self._dir, self._assignment = autograde.coursedir, autograde.coursedir.assignment_id
        self._shared = SharedFiles(course.root, self._assignment)
        self._try_files = TryFiles(course.root, self._assignment)

    def withdraw(self, everybody: Sequence[Submission]) -> dict[str, str]:
        """Remove students' marks for the work of a former partner.

        A partner whose own folder is gone stays one.  Returns whose work it was, by student.
        """
        graded = {one.student for one in everybody}
        there = {one.folder.parent.name for one in everybody}
        shared = TryRecord.assignment == self._assignment, TryRecord.submitter != ""
        with self._gradebook.db() as session:
            rows = session.execute(select(TryRecord.student, TryRecord.submitter).where(*shared, TryRecord.counts))
            gone = {row.student: row.submitter for row in rows if row.student not in graded and row.submitter in there}
        if not gone:
            return {}
        with one_transaction(self._gradebook) as session:
            for student, submitter in gone.items():
                with acting(session, GRADING, NO_PARTNER.format(submitter)), suppress(MissingEntry):
                    self._gradebook.remove_submission(self._assignment, student)
                theirs = NotebookRecord.student == student, NotebookRecord.assignment == self._assignment
                forget(session, *theirs)
                session.execute(delete(TryRecord).where(*shared, TryRecord.student == student))
        for folder in map(self.copies, gone):
            if folder.exists():
                utils.rmtree(str(folder))
        return gone

    def counted(self, tries: list[AssembledSubmission], counts: Counts) -> AssembledSubmission:
        """Return the try that counts by the course's rule; tries are ordered, the newest last."""
        if counts == "best":
            entry = max(reversed(tries), key=self._worth(tries))  # the newest of equal ones
        else:
            # Where a person chooses, the plan has read no other try than the chosen one.
            entry = tries[0] if counts == "chosen" else tries[-1]
        return replace(entry, tries=tries)

    def _worth(self, tries: Sequence[AssembledSubmission]) -> Callable[[AssembledSubmission], float]:
        """Return a function for the judge's points of a try after its late penalty."""
        if len(tries) == 1:
            return lambda entry: 0.0
        student = tries[-1].submission.student
        with self._gradebook.db() as session:
            free = (student, self._assignment) in excused(session)
            due = None if free else due_of(session, student, self._assignment, opening(self._course))

        def worth(entry: AssembledSubmission) -> float:
            time = entry.submission.work.time
            late = (time - due).total_seconds() if time and due else 0.0
            total = 0.0
            for graded in entry.notebooks.values():
                score = sum(points or 0.0 for points in graded.scores.values())
                total += score - (penalty_of(self.late, student, score, late) if self.late and late > 0 else 0.0)
            return round(total, 4)

        return worth

    def commit(self, entries: Sequence[AssembledSubmission]) -> dict[Submission, Exception]:
        """Write these submissions, each completely or not at all; return reasons for those not written."""
        failed: dict[Submission, Exception] = {}
        try:
            self._enter_all(entries)
        except Exception as problem:
            if len(entries) == 1 or isinstance(problem, ReleaseChanged):
                return {entry.submission: problem for entry in entries}
            for entry in entries:  # one by one, so that one failure harms no other
                failed |= self.commit([entry])
            return failed
        for entry in entries:
            try:
                self._write(entry)
            except BaseException as problem:  # the next run retries it
                self._remove(entry.submission)
                if not isinstance(problem, Exception):
                    raise
                failed[entry.submission] = problem
        return failed

    def copies(self, student: str) -> Path:
        """The folder for a student's graded work."""
        return Path(self._dir.format_path(self._dir.autograded_directory, student, self._assignment))

    def _enter_all(self, entries: Sequence[AssembledSubmission]) -> None:
        """Write these rows in one transaction; when it ends, autograded/ has none of their files."""
        self._keep([entry.tries[-1].submission for entry in entries])
        with locked(self._gradebook.engine) as connection, Session(connection) as session, acting(session, GRADING):
            if read_release(session, self._assignment) != self.release:
                raise ReleaseChanged
            self._enter(session, entries)
            for entry in entries:
                self._remove(entry.submission)

    def _enter(self, session: Session, entries: Sequence[AssembledSubmission]) -> None:
        """Write nbgrader's rows, the answers, the verdicts and the late penalties."""
        known = _Known(session, self._assignment, [entry.submission.student for entry in entries])
        if not self._autograde.create_student:
            for entry in entries:
                if entry.submission.student not in known.students:
                    raise NoStudent(entry.submission.student)
        rows = _Rows()
        new = {entry.submission for entry in entries if known.add(entry.submission, self.release.values(), rows)}
        for entry in entries:
            for name, release in self.release.items():
                self._add_marks(session, entry, release, entry.notebooks.get(name), known, rows)
        rows.write(session)
        found = [
            (entry.submission.student, name, graded.result, graded.key)
            for entry in entries
            for name, graded in entry.notebooks.items()
        ]
        save_verdicts(session, self._assignment, found)
        save_tries(session, self._assignment, [self._try(one, entry) for entry in entries for one in entry.tries])
        # The log of marks stores a penalty when it changes: it is written when its row exists.
        for entry in entries if self.late is not None else ():
            student = entry.submission.student
            if entry.submission in new and known.due is None and student not in known.given:
                continue  # nothing can be late
            row = session.get_one(SubmittedAssignment, known.ids[student])
            late = seconds_late(session, row, opening(self._course), known.free)
            for name in entry.notebooks:
                write_penalties(row, self.late, late, name)

    def _keep(self, submissions: Sequence[Submission]) -> None:
        """Keep the files of submissions, with the earlier time for identical work."""
        with self._gradebook.db() as session:
            tries = tries_of(session, self._assignment, [one.student for one in submissions])
            known = {(row.student, row.digest): row.submitted_at for rows in tries.values() for row in rows}
        for one in submissions:
            time = earlier(known.get((one.student, one.work.digest)), one.work.time)
            try:
                self._try_files.keep(one.student, one.work.digest, one.work.files, time, self._shared)
            except OSError as problem:
                if which_counts(self._course.settings()) != "newest":  # another try may count later
                    raise
                one.notes.append(NOT_KEPT.format(one.student, problem.strerror))

    def _try(self, entry: AssembledSubmission, counted: AssembledSubmission) -> Try:
        submission = entry.submission
        exercises = {
            f"{name}/{cell}": (score, self.release[name].grades[cell].max_score, graded.answers[cell].text)
            for name, graded in entry.notebooks.items()
            for cell, score in graded.scores.items()
        }
        return Try(
            submission.student,
            submission.work.digest,
            submission.work.time,
            submission.submitter,
            dict(submission.work.keys),
            exercises,
            submission is counted.submission,
        )

    def _add_marks(
        self,
        session: Session,
        entry: AssembledSubmission,
        release: ReleasedNotebook,
        graded: Graded | None,
        known: "_Known",
        rows: "_Rows",
    ) -> None:
        """Add nbgrader's rows for one notebook: a grade for each cell with points, a comment for each answer."""
        student = entry.submission.student
        book = known.books[student][release.name]
        scores, comments = (graded.scores, graded.comments) if graded else ({}, {})
        # nbgrader gives 0 for a missing notebook
        absent = not (entry.submission.folder / f"{release.name}.ipynb").exists()
        for cell, graded_cell in release.grades.items():
            before = known.grades.get((book, graded_cell.id))
            score = scores.get(cell, 0.0 if absent else None)
            row: dict[str, Any] = {"notebook_id": book, "cell_id": graded_cell.id, "auto_score": score}
            if graded is not None and cell in scores:  # it was judged
                row["needs_manual_grade"] = store_answer(
                    session,
                    known.answers,
                    (student, self._assignment, release.name, cell),
                    graded.answers[cell],
                    grade=before,
                    auto_score=score,
                    refused=graded.refused,
                )
            elif absent or before is None:
                row["needs_manual_grade"] = not absent  # without a score, a person looks at what is there
            else:  # it has an earlier grade, and no new score
                continue
            rows.add(Grade, before.id if before is not None else None, **row)
        for cell, identity in release.answers.items():
            comment = known.comments.get((book, identity))
            if cell in comments or comment is None:
                rows.add(Comment, comment, notebook_id=book, cell_id=identity, auto_comment=comments.get(cell))

    def _remove(self, submission: Submission) -> None:
        folder = self.copies(submission.student)
        if folder.exists():
            utils.rmtree(str(folder))

    def _write(self, entry: AssembledSubmission) -> None:
        submission, folder = entry.submission, self.copies(entry.submission.student)
        self._autograde.notebooks = [str(submission.folder / f"{name}.ipynb") for name in entry.notebooks]
        self._autograde.run_pre_convert_hook()
        folder.mkdir(parents=True, exist_ok=True)
        for name, path in submission.work.other_files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            self._shared.copy(path, place)
        for name, graded in entry.notebooks.items():
            write_whole(folder / f"{name}.ipynb", graded.text.encode())
        self._autograde.set_permissions(self._assignment, submission.student)
        if secret := submission.work.other_files.get(SECRET):  # the submission's keeps its permissions
            (folder / SECRET).unlink()
            linked_or_copied(secret, folder / SECRET)  # each file takes a block of the disk
        self._autograde.run_post_convert_hook()


def read_release(session: Session, assignment: str) -> dict[str, ReleasedNotebook]:
    """Return the notebooks of an assignment as the gradebook has them, by name."""
    this = Assignment.name == assignment
    cells: dict[Any, dict[str, list[Any]]] = {}
    for kind in (SourceCell, GradeCell, TaskCell, SolutionCell):
        query = select(kind).join(Notebook, Notebook.id == kind.notebook_id).join(Assignment).where(this)
        cells[kind] = {}
        for cell in session.scalars(query):
            cells[kind].setdefault(cell.notebook_id, []).append(cell)
    books = session.scalars(select(Notebook).join(Assignment).where(this)).all()
    found = {
        book.name: _release(book, {kind: by_book.get(book.id, []) for kind, by_book in cells.items()}) for book in books
    }
    session.expunge_all()
    return found


def _release(book: Any, cells: Mapping[Any, Sequence[Any]]) -> ReleasedNotebook:
    return ReleasedNotebook(
        book.id,
        book.name,
        json.loads(book.kernelspec) if book.kernelspec else None,
        {
            cell.name: ReleasedCell(cell.id, cell.cell_type, cell.locked, cell.source, cell.checksum)
            for cell in cells[SourceCell]
        },
        {cell.name: GradedCell(cell.id, cell.max_score) for cell in (*cells[GradeCell], *cells[TaskCell])},
        {cell.name: cell.id for cell in (*cells[SolutionCell], *cells[TaskCell])},
    )


class _Known:
    """The gradebook's data on some students' work, read with a few statements for all of them."""

    def __init__(self, session: Session, assignment: str, students: Sequence[str]):
        of_assignment = select(Assignment.id, Assignment.duedate).where(Assignment.name == assignment)
        self._assignment_id, self.due = session.execute(of_assignment).one()
        self.students = set(session.scalars(select(Student.id).where(Student.id.in_(students))))
        theirs = SubmittedAssignment.assignment_id == self._assignment_id, SubmittedAssignment.student_id.in_(students)
        rows = select(SubmittedAssignment.student_id, SubmittedAssignment.id).where(*theirs)
        self.ids: dict[str, str] = dict(session.execute(rows).all())
        books = (
            select(SubmittedAssignment.student_id, Notebook.name, SubmittedNotebook.id)
            .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
            .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
            .where(*theirs)
        )
        self.books: dict[str, dict[str, str]] = {student: {} for student in students}  # student -> notebook -> id
        for student, name, book in session.execute(books):
            self.books[student][name] = book
        mine = [book for of_student in self.books.values() for book in of_student.values()]
        marks = Grade.id, Grade.notebook_id, Grade.cell_id, Grade.manual_score, Grade.extra_credit
        grades = session.execute(select(*marks, Grade.needs_manual_grade).where(Grade.notebook_id.in_(mine)))
        self.grades = {(row.notebook_id, row.cell_id): row for row in grades}
        comments = select(Comment.notebook_id, Comment.cell_id, Comment.id).where(Comment.notebook_id.in_(mine))
        self.comments = {(book, cell): row for book, cell, row in session.execute(comments)}
        self.answers = answer_records(session, assignment, students)
        self.given = students_with_more_time(session)  # students with more time
        self.free = excused(session)  # excused students

    def add(self, submission: Submission, release: Iterable[ReleasedNotebook], rows: "_Rows") -> bool:
        """Ensure that a student and the submission exist; return whether it is new."""
        student = submission.student
        if student not in self.students:
            rows.add(Student, None, id=student)
        if student in self.ids:
            if submission.work.time is not None or submission.work.timeless:
                rows.add(SubmittedAssignment, self.ids[student], timestamp=submission.work.time)
            return False
        of = {"assignment_id": self._assignment_id, "student_id": student}
        self.ids[student] = rows.add(SubmittedAssignment, None, **of, timestamp=submission.work.time)
        for book in release:
            of = {"assignment_id": self.ids[student], "notebook_id": book.id}
            self.books[student][book.name] = rows.add(SubmittedNotebook, None, **of, flagged=False)
        return True


class _Rows:
    """Rows of nbgrader's tables to write together."""

    ORDER = (Student, SubmittedAssignment, SubmittedNotebook, Grade, Comment)  # PostgreSQL checks foreign keys

    def __init__(self) -> None:
        self._new: dict[Any, list[dict[str, Any]]] = {table: [] for table in self.ORDER}
        self._changed: dict[Any, list[dict[str, Any]]] = {table: [] for table in self.ORDER}

    def add(self, table: Any, row: str | None, **values: Any) -> str:
        """Add a row, or change the one with this id; returns its id."""
        if row is None:
            new = {"id": new_uuid(), **values}
            self._new[table].append(new)
            return str(new["id"])
        new = {f"new_{name}": value for name, value in values.items() if name not in ("notebook_id", "cell_id")}
        self._changed[table].append({"row": row, **new})
        return row

    def write(self, session: Session) -> None:
        """Write the rows, with one statement for each table."""
        connection = session.connection()
        for table in self.ORDER:
            if new := self._new[table]:
                connection.execute(insert(table.__table__), new)
            if changed := self._changed[table]:
                values: dict[str, Any] = {
                    name.removeprefix("new_"): bindparam(name) for name in changed[0] if name != "row"
                }
                these = table.__table__.c.id == bindparam("row")
                connection.execute(update(table.__table__).where(these).values(values), changed)

"""What nbgrader does anew for each submission, done once for a whole run.

It opens the gradebook ten times: each opening looks for all tables and for the course, and has SQLAlchemy work out
every statement anew.  And it holds its own schema of metadata against the schema of schemas, for each cell.  Together
that is half of the time that it takes to write a submission.  What is read, written and refused stays the same: each of
nbgrader's blocks has a session of its own, which ends with the block, and what it commits is committed there.
"""

import contextlib
import functools
import importlib
import json
import os
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import jsonschema
from jsonschema.exceptions import best_match
from jsonschema.protocols import Validator
from jsonschema.validators import validator_for
from nbgrader.api import (
    Assignment,
    BaseCell,
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
)
from nbgrader.nbgraderformat import common
from sqlalchemy import Connection, Engine, bindparam, make_url, select
from sqlalchemy.orm import scoped_session, sessionmaker

from ..records.database import together

# Where nbgrader and we open it while submissions are graded.
MODULES = (
    "nbgrader.converters.autograde",
    "nbgrader.preprocessors.latesubmissions",
    "nbgrader.preprocessors.overwritecells",
    "nbgrader.preprocessors.overwritekernelspec",
    "nbgrader.preprocessors.saveautogrades",
    "syncpoint.nbgrader_hooks.late",
    "syncpoint.records.save",
)


# By these an assignment is seen to be what it was: all that it consists of, but for the texts, of which there are
# checksums.
_CELLS = (
    select(*(column for part in (Assignment, Notebook, BaseCell, GradeCell, TaskCell) for column in part.__table__.c))
    .select_from(Assignment.__table__)
    .outerjoin(Notebook.__table__, Notebook.assignment_id == Assignment.id)
    .outerjoin(BaseCell.__table__, BaseCell.notebook_id == Notebook.id)
    .outerjoin(GradeCell.__table__, GradeCell.__table__.c.id == BaseCell.id)
    .outerjoin(TaskCell.__table__, TaskCell.__table__.c.id == BaseCell.id)
    .where(Assignment.name == bindparam("name"))
)
_SOURCES = (
    select(*(column for column in SourceCell.__table__.c if column.name != "source"))
    .join(Notebook.__table__, Notebook.id == SourceCell.notebook_id)
    .join(Assignment.__table__, Assignment.id == Notebook.assignment_id)
    .where(Assignment.name == bindparam("name"))
)
# nbgrader's own, which it puts together anew each time.
_STUDENT = select(Student).where(Student.id == bindparam("student"))
_SUBMISSION = (
    select(SubmittedAssignment)
    .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
    .where(Assignment.name == bindparam("assignment"), SubmittedAssignment.student_id == bindparam("student"))
)


def _in_cell(part: Any, kind: Any) -> Any:
    """What there is of a submission in a cell of this kind."""
    return (
        select(part)
        .join(kind, kind.id == part.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == part.notebook_id)
        .join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .where(
            kind.name == bindparam("cell"),
            Notebook.name == bindparam("notebook"),
            Assignment.name == bindparam("assignment"),
            SubmittedAssignment.student_id == bindparam("student"),
        )
    )


_GRADE, _COMMENT = _in_cell(Grade, GradeCell), _in_cell(Comment, SolutionCell)


class Kept(Gradebook):
    """A gradebook that stays open: to close it ends its session only, and gives the connection back.

    What an assignment consists of hardly ever changes in a run: each part is looked up once, and handed to the session
    that asks for it.  Each submission begins with finding its assignment, and that looks whether it has changed; of
    those that are written together the first one does.
    """

    in_use = False

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        self._parts: dict[tuple[str, ...], Any] = {}
        self._seen: dict[str, Any] = {}  # of each assignment, what its parts were made of
        self._joined: Connection | None = None
        self._looked: set[str] = set()  # the assignments that were looked at since it was joined

    def __enter__(self) -> "Kept":
        return self

    def find_assignment(self, name: str) -> Assignment:
        """Find it with its notebooks and their cells, as they are now."""
        if name not in self._looked:
            now = [frozenset(self.db.execute(query, {"name": name})) for query in (_CELLS, _SOURCES)]
            if self._seen.get(name) != now:
                self._parts.clear()
                self._seen[name] = now
            if self._joined is not None:
                self._looked.add(name)
        return self._part(super().find_assignment, name)

    def find_notebook(self, name: str, assignment: str) -> Notebook:
        """Find a notebook of an assignment."""
        return self._part(super().find_notebook, name, assignment)

    def find_source_cell(self, name: str, notebook: str, assignment: str) -> SourceCell:
        """Find what a cell of the release holds."""
        return self._part(super().find_source_cell, name, notebook, assignment)

    def find_graded_cell(self, name: str, notebook: str, assignment: str) -> GradeCell | TaskCell:
        """Find a cell that has points."""
        return self._part(super().find_graded_cell, name, notebook, assignment)

    def find_student(self, student_id: str) -> Student:
        """Find a student."""
        found = self.db.execute(_STUDENT, {"student": student_id}).scalar_one_or_none()
        if found is None:
            raise MissingEntry(f"No such student: {student_id}")
        return found

    def find_submission(self, assignment: str, student: str) -> SubmittedAssignment:
        """Find the submission of a student."""
        found = self.db.execute(_SUBMISSION, {"assignment": assignment, "student": student}).scalar_one_or_none()
        if found is None:
            raise MissingEntry(f"No such submission: {assignment} for {student}")
        return found

    def find_grade(self, grade_cell: str, notebook: str, assignment: str, student: str) -> Grade:
        """Find what a student has for a cell."""
        names = {"cell": grade_cell, "notebook": notebook, "assignment": assignment, "student": student}
        return self._one(_GRADE, super().find_grade, **names)

    def find_comment(self, solution_cell: str, notebook: str, assignment: str, student: str) -> Comment:
        """Find what was said about a cell of a student."""
        names = {"cell": solution_cell, "notebook": notebook, "assignment": assignment, "student": student}
        return self._one(_COMMENT, super().find_comment, **names)

    def _one(self, query: Any, find: Callable[..., Any], **names: str) -> Any:
        """What a query finds; what it does not, nbgrader looks for elsewhere, and it says what is missing."""
        found = self.db.execute(query, names).scalar_one_or_none()
        return find(*names.values()) if found is None else found

    def _part(self, find: Callable[..., Any], *names: str) -> Any:
        key = (find.__name__, *names)
        if key not in self._parts:
            own: Any = self.db
            at: Connection | Engine = self._joined or self.engine
            # Its objects outlive the block.
            self.db: Any = scoped_session(sessionmaker(bind=at, join_transaction_mode="rollback_only"))
            try:
                part = find(*names)
                for notebook in part.notebooks if isinstance(part, Assignment) else ():
                    _ = notebook.grade_cells, notebook.solution_cells, notebook.task_cells  # each is loaded
            finally:
                apart, self.db = self.db, own
                apart.remove()
            self._parts[key] = part
        return self.db.merge(self._parts[key], load=False)

    def join(self, connection: Connection | None) -> None:
        """Take a part in a transaction from now on; None: in none any more."""
        self._joined = connection
        self._looked.clear()

    @property
    def is_joined(self) -> bool:
        """Whether it takes a part in a transaction."""
        return self._joined is not None

    def close(self) -> None:
        """End the session, and what it did not commit."""
        self.db.remove()
        self.in_use = False

    def close_for_good(self) -> None:
        """Close the connection, too."""
        super().close()


class Once:
    """Stands in the place of the class Gradebook: hands out one that is open already.

    Only to the thread that grades, and to nobody who has one of the same name open already.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._open: dict[tuple[Any, ...], tuple[Kept, tuple[int, int] | None]] = {}

    def __call__(self, db_url: str, *course: Any, **more: Any) -> Gradebook:
        """What the class Gradebook gives for these arguments."""
        if threading.get_ident() != self._thread or more:
            return Gradebook(db_url, *course, **more)
        key, file = (db_url, *course), _file(db_url)
        kept, opened = self._open.get(key, (None, None))
        if kept is not None and kept.in_use:
            return Gradebook(db_url, *course)
        if kept is None or (opened != file and not kept.is_joined):  # a backup may have been put in its place meanwhile
            if kept is not None:
                kept.close_for_good()
                del self._open[key]
            kept = Kept(db_url, *course)
            self._open[key] = kept, _file(db_url)
        kept.in_use = True
        return kept

    @contextlib.contextmanager
    def together(self, db_url: str, *course: Any) -> Iterator[Connection]:
        """What is committed in this block is written in its end, and nothing of it if it raises.

        Yields:
            The connection of all of them.
        """
        kept = []
        for names in {(db_url, *course): None, (db_url,): None}:  # nbgrader's preprocessors name no course
            with self(*names) as gradebook:
                kept.append(gradebook)
        with together(*kept) as connection:
            try:
                for gradebook in kept:
                    gradebook.join(connection)
                yield connection
            finally:
                for gradebook in kept:
                    gradebook.join(None)

    def close(self) -> None:
        """Close all of them."""
        for kept, _ in self._open.values():
            kept.close_for_good()
        self._open.clear()


LONGEST = 2000  # characters; a class shares most metadata of its cells, and none of nbgrader's is longer


def validate(instance: Any, schema: Any) -> None:
    """Do what ``jsonschema.validate`` does; it looks at the schema itself each time.

    Args:
        instance: Any data.
        schema: What it is held against.

    Raises:
        SchemaError: If the schema is none.
        Exception: jsonschema's own ValidationError, if the data do not fit.
    """
    text, data = json.dumps(schema), json.dumps(instance)
    if len(data) > LONGEST or not _fits(data, text):
        error = best_match(_validator(text).iter_errors(instance))
        if error is not None:
            raise error


@functools.cache
def _validator(schema: str) -> Validator:
    """For a schema, as JSON, that was looked at."""
    known = json.loads(schema)
    kind = validator_for(known)
    kind.check_schema(known)
    validator: Validator = kind(known)
    return validator


@functools.lru_cache(1000)
def _fits(instance: str, schema: str) -> bool:
    """Whether data, as JSON, are what a schema asks for."""
    return _validator(schema).is_valid(json.loads(instance))


@contextlib.contextmanager
def done_once() -> Iterator[Once]:
    """In this block, grading opens the gradebook and looks at each schema once.

    Yields:
        Who opens it.
    """
    once, modules = Once(), [importlib.import_module(name) for name in MODULES]
    try:
        for module in modules:
            module.Gradebook = once  # type: ignore[attr-defined]
        common.jsonschema = SimpleNamespace(validate=validate)
        yield once
    finally:
        for module in modules:
            module.Gradebook = Gradebook  # type: ignore[attr-defined]
        common.jsonschema = jsonschema
        once.close()


def _file(db_url: str) -> tuple[int, int] | None:
    """Which file an address of SQLite's means now; None for a server, or a file that is not there."""
    address = make_url(db_url)
    if address.get_backend_name() != "sqlite":
        return None
    try:
        state = os.stat(address.database or "")
    except OSError:
        return None
    return state.st_dev, state.st_ino

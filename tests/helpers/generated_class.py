"""A generated class: invented students in a real gradebook, with the tables that nbgrader and the judge write to."""

import functools
import os
import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

import pytest
from classroom import BIN, ROOT
from nbgrader.api import (
    Assignment,
    BaseCell,
    Grade,
    Gradebook,
    GradeCell,
    Notebook,
    Student,
    SubmittedAssignment,
    SubmittedNotebook,
)
from sqlalchemy import create_engine, func, insert, select

from syncpoint.core.messages import words
from syncpoint.course.folder import Course
from syncpoint.records.database import upgrade
from syncpoint.records.tables import (
    ActRecord,
    IncidentRecord,
    NotebookRecord,
    OutcomeRecord,
    TitleRecord,
    VerdictRecord,
)

FIRST = (
    "Ada Alan Barbara Claude Donald Edsger Frances Grace Hedy Ida John Katherine Leslie Margaret Niklaus Radia".split()
)
LAST = "Abbot Brandt Cruz Dahl Eriksen Farouk Grieg Haddad Ito Jansen Kaya Lind Moreau Novak Okafor Petit Rossi".split()
EXERCISES = "benchmark queue_work sync_functions loops get_mem train_sync train_async train_bounded".split()
TITLES = [
    "returns the values of the operation",
    "waits for nothing while its input is held back",
    "waits once, for the last result",
    "works for one batch",
    "keeps its input as it is",
    "holds no more than it was asked to",
]
BELIEFS = ["call-means-done", "wait-in-the-loop", "hidden-waits", "", "", ""]
INCIDENTS = [
    ("timeout", "Cell 12 (`loops`) did not finish within 30 s and was stopped."),
    ("died", "The kernel died in cell 9 (`get_mem`)."),
    ("memory", "Cell 14 (`train_async`) ran out of memory (limit 4096 MiB)."),
    ("raised", "Cell 7 (`queue_work`) raised NameError: name 'np' is not defined."),
    ("repaired", "Cell 5 (`test_loops`) was missing and was added again."),
]
ACT = ("transformer", "Cell 3 installed an AST transformer.")
DUE = datetime(2026, 10, 1, 18)


@dataclass(frozen=True)
class Size:
    """The size of the generated class."""

    students: int
    assignments: tuple[str, ...] = ("async",)
    exercises: int = 8
    tests: int = 6


class Generator:
    """Fills tables with rows that look like a course.  Equal seeds give equal classes."""

    def __init__(self, size: Size, seed: int = 1):
        self._size, self._random = size, random.Random(seed)
        self._rows: dict[Any, list[dict[str, Any]]] = {}
        self._numbers = 0

    def rows(self) -> Iterator[dict[Any, list[dict[str, Any]]]]:
        """The rows of each table: the people, then one assignment after another, so that a large course fits memory."""
        chance = self._random
        people = []
        for number in range(self._size.students):
            first, last = chance.choice(FIRST), chance.choice(LAST)
            student = f"{first[0]}{last}{number:03}".lower()
            self._add(Student, id=student, first_name=first, last_name=last, email=f"{student}@school.example")
            people.append((student, chance.betavariate(4, 2)))
        for number, title in enumerate(TITLES):
            self._add(TitleRecord, id=number, text=title)
        yield self._rows
        for week, name in enumerate(self._size.assignments):
            self._rows = {}
            self._assignment(name, DUE + timedelta(weeks=week), people)
            yield self._rows

    def _add(self, table: Any, **values: Any) -> None:
        self._rows.setdefault(table.__table__, []).append(values)

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def _assignment(self, name: str, due: datetime, people: list[tuple[str, float]]) -> None:
        self._add(Assignment, id=name, name=name, duedate=due, course_id="syncpoint")
        self._add(Notebook, id=_id(f"{name}-work"), name="work", assignment_id=name, kernelspec="{}")
        exercises = [f"test_{exercise}" for exercise in EXERCISES[: self._size.exercises]]
        for exercise in [*exercises, "time_model"]:
            cell = _id(f"{name}-{exercise}")
            self._add(BaseCell, id=cell, name=exercise, notebook_id=_id(f"{name}-work"), type="GradeCell")
            self._add(GradeCell, id=cell, max_score=4.0, cell_type="markdown" if exercise == "time_model" else "code")
        for student, strength in people:
            self._submission(name, due, student, strength, exercises)

    def _submission(self, name: str, due: datetime, student: str, strength: float, exercises: list[str]) -> None:
        chance, key = self._random, _id(f"{name}-{student}")
        if chance.random() < 0.04:
            return  # some hand in nothing
        submitted = due + timedelta(hours=chance.uniform(-60, 4))
        record = self._number()
        graded_at = due + timedelta(hours=12, seconds=record // 10)
        self._add(SubmittedAssignment, id=key, assignment_id=name, student_id=student, timestamp=submitted)
        self._add(
            SubmittedNotebook, id=_id(f"{key}-work"), notebook_id=_id(f"{name}-work"), assignment_id=key, flagged=False
        )
        self._add(
            NotebookRecord, id=record, student=student, assignment=name, notebook="work", graded_at=graded_at,
            engine="mxnet 1.9.1", graders="0123456789ab", kernel_start=1.0, kernel_busy=1.5, kernel_stop=0.3,
            total=3.5 + chance.expovariate(0.6), peak_mib=chance.uniform(160, 420),
        )  # fmt: skip
        if chance.random() < 0.08:
            kind, sentence = chance.choice(INCIDENTS)
            self._add(IncidentRecord, id=self._number(), notebook_id=record, kind=kind, message=words(sentence))
        if chance.random() < 0.015:
            self._add(ActRecord, id=self._number(), notebook_id=record, kind=ACT[0], message=words(ACT[1]))
        for place, exercise in enumerate(exercises):
            self._exercise(_id(f"{name}-{exercise}"), key, record, exercise, strength, place)
        essay = {"auto_score": None, "needs_manual_grade": chance.random() < 0.2}
        essay["manual_score"] = None if essay["needs_manual_grade"] else float(chance.randint(1, 4))
        self._add(
            Grade, id=_id(f"{key}-essay"), cell_id=_id(f"{name}-time_model"), notebook_id=_id(f"{key}-work"), **essay
        )

    def _exercise(self, cell: str, key: str, record: int, exercise: str, strength: float, place: int) -> None:
        verdict, tests, right = self._number(), self._size.tests, 0
        hard = 0.5 * place / len(EXERCISES)
        for test in range(tests):
            passed = self._random.random() < strength * (1.25 - hard) + (0.3 if test == 0 else 0.0)
            right += passed
            self._add(
                OutcomeRecord, id=self._number(), verdict_id=verdict, name=f"test_{test}", title_id=test, hint="",
                weight=1.0, core=False, value=False, passed=passed, status="passed" if passed else "failed", detail="",
                seconds=0.02, message=None, misconception=BELIEFS[(test + place) % len(BELIEFS)] if test else "",
            )  # fmt: skip
        points = 4.0 * right / tests
        self._add(
            VerdictRecord, id=verdict, notebook_id=record, exercise=exercise, points=points, max_points=4.0, notes=[]
        )
        self._add(
            Grade, id=_id(f"{key}-{exercise}"), cell_id=cell, notebook_id=_id(f"{key}-work"), auto_score=points,
            manual_score=None, needs_manual_grade=False,
        )  # fmt: skip


def _id(name: str) -> str:
    """A key as long as nbgrader's."""
    return uuid5(NAMESPACE_OID, name).hex


def generate(root: Path, size: Size, url: str = "") -> Path:
    """Write a course with a generated class into a folder; ``url``: the address of an empty PostgreSQL database."""
    root.mkdir(parents=True, exist_ok=True)
    config = (ROOT / "nbgrader_config.py").read_text()
    (root / "nbgrader_config.py").write_text(config + (f"\nc.CourseDirectory.db_url = {url!r}\n" if url else ""))
    page = Path("docs", "students", "misconceptions.md")
    (root / page).parent.mkdir(parents=True, exist_ok=True)
    (root / page).write_text((ROOT / page).read_text())
    if url:
        make_tables(url)
    else:
        (root / "gradebook.db").write_bytes(empty_gradebook())
    engine = create_engine(url or f"sqlite:///{root}/gradebook.db")
    with engine.begin() as connection:
        for rows in Generator(size).rows():
            for table in (*Student.metadata.sorted_tables, *NotebookRecord.metadata.sorted_tables):
                if table in rows:
                    connection.execute(insert(table), rows[table])
        if url:  # PostgreSQL has not counted the ids that were given
            for table in NotebookRecord.metadata.sorted_tables:
                if table.c.keys()[0] == "id" and connection.scalar(select(func.max(table.c.id))):
                    last = select(func.max(table.c.id)).scalar_subquery()
                    connection.execute(select(func.setval(func.pg_get_serial_sequence(table.name, "id"), last)))
    engine.dispose()
    return root


def with_exchange(root: Path, size: Size) -> Course:
    """A course with a generated class, and with an exchange next to it."""
    generate(root, size)
    with (root / "nbgrader_config.py").open("a") as config:
        config.write("\nc.ExchangeCollect.check_owner = False\nc.CourseDirectory.course_id = 'autumn'\n")
        config.write(f"c.Exchange.root = {str(root.parent / 'exchange')!r}\n")
    return Course(root)


def make_tables(url: str) -> None:
    """nbgrader's tables and ours, in an empty database."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
        with Gradebook(url, "syncpoint") as gradebook:
            upgrade(gradebook.engine)


@functools.cache
def empty_gradebook() -> bytes:
    """The file of an SQLite gradebook with all tables and no rows; making one takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        make_tables(f"sqlite:///{folder}/gradebook.db")
        return Path(folder, "gradebook.db").read_bytes()

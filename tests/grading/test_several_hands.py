"""Many programs use one gradebook at a time: none breaks another's first use, and nothing that was written is lost."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import pytest
from alembic.migration import MigrationContext
from classroom import BIN, PATIENT, SmallCourse, environment
from commands import Forked, command
from nbgrader.api import Base, Gradebook
from sqlalchemy import create_engine, inspect, text

from syncpoint.course.folder import Course
from syncpoint.grading.claims import Claims
from syncpoint.records.bootstrap import prepare
from syncpoint.records.read_results import read_graded

Database = Callable[[], str]
NEW = "e43177bfe90b"  # what nbgrader 0.9.6 calls its tables of today


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.exhaustive)])
def database(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """Makes the address of an empty database."""
    if request.param == "sqlite":
        return lambda: f"sqlite:///{tmp_path_factory.mktemp('several')}/gradebook.db"
    server = request.getfixturevalue("server")
    return lambda: server.create(uuid4().hex)


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nbgrader find alembic, which it calls as a program."""
    monkeypatch.setenv("PATH", str(BIN), prepend=os.pathsep)


HANDS = """
import logging, sys
from nbgrader.api import Gradebook
from syncpoint.grading.claims import Claims
from syncpoint.records.bootstrap import prepare
logging.disable()
print("ready", flush=True)
for url in map(str.strip, sys.stdin):
    try:
        if sys.argv[1] == "ours":
            prepare(url, "syncpoint")
        for course in ("syncpoint", "default_course"):
            Gradebook(url, course).close()
        print("well", flush=True)
    except Exception as problem:
        print(repr(problem), flush=True)
"""
OURS, STOCK = "ours", "nbgrader's own"
Hands = Callable[..., list[str]]


@pytest.fixture(scope="module")
def at_once() -> Iterator[Hands]:
    """Lets programs of the named kinds open a gradebook at the same moment; what each one says."""
    kinds = (OURS, OURS, OURS, STOCK)
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", HANDS, kind], stdin=-1, stdout=-1, text=True, bufsize=1, env=environment()
        )
        for kind in kinds
    ]

    def say(those: list[subprocess.Popen[str]]) -> list[str]:
        return [program.stdout.readline().strip() for program in those]

    def open_at_once(url: str, *which: str) -> list[str]:
        those = [program for program, kind in zip(programs, kinds, strict=True) if kind in which]
        for program in those:
            program.stdin.write(f"{url}\n")
        return say(those)

    assert say(programs) == ["ready"] * len(kinds)
    yield open_at_once
    for program in programs:
        program.communicate()


def state(url: str) -> tuple[bool, str | None, list[str]]:
    """Whether all of nbgrader's tables are there, their version, and the courses."""
    engine = create_engine(url)
    with engine.connect() as connection:
        tables = set(inspect(connection).get_table_names())
        version = MigrationContext.configure(connection).get_current_revision()
        courses = list(connection.scalars(text("SELECT id FROM course ORDER BY id")))
    engine.dispose()
    return Base.metadata.tables.keys() <= tables, version, courses


WHOLE = (True, NEW, ["default_course", "syncpoint"])


def test_all_programs_that_open_an_empty_gradebook_find_a_complete_one(database: Database, at_once: Hands):
    for url in [database() for _ in range(5)]:
        assert at_once(url, OURS) == ["well"] * 3
        assert state(url) == WHOLE


def test_a_program_that_ignores_locks_harms_nobody_else(database: Database, at_once: Hands):
    for url in [database() for _ in range(5)]:
        assert at_once(url, OURS, STOCK)[:3] == ["well"] * 3
        assert state(url) == WHOLE
        assert at_once(url, STOCK) == ["well"]


def test_what_was_left_half_made_is_completed(database: Database):
    url = database()
    engine = create_engine(url)
    Base.metadata.create_all(engine, tables=Base.metadata.sorted_tables[:3])
    engine.dispose()
    prepare(url, "syncpoint")
    assert state(url) == WHOLE


def test_tables_of_an_older_nbgrader_are_not_taken_for_new(tmp_path: Path):
    url = f"sqlite:///{tmp_path}/gradebook.db"
    with closing(sqlite3.connect(tmp_path / "gradebook.db")) as old:
        old.execute("CREATE TABLE student (id VARCHAR(128) PRIMARY KEY)")
    prepare(url, "syncpoint")
    assert state(url)[1] is None


def test_a_file_without_tables_is_no_gradebook(tmp_path: Path):
    course = SmallCourse.make(tmp_path / "course")
    (course.root / "gradebook.db").touch()
    done = course.run("syncpoint", "scores", "async")
    assert "there is no gradebook yet" in done.stderr
    assert (course.root / "gradebook.db").stat().st_size == 0


@pytest.fixture
def new_course(database: Database, tmp_path: Path) -> SmallCourse:
    """The small course with an empty gradebook, and a second assignment."""
    course = SmallCourse.make(tmp_path / "course")
    course.configure(f"\nc.CourseDirectory.db_url = {database()!r}\n")
    for classroom in ("source", "grader_tests"):
        (course.root / classroom / "later").symlink_to(course.root / classroom / "async")
    return course


@pytest.mark.exhaustive
def test_two_assignments_may_be_released_at_once_into_an_empty_gradebook(new_course: SmallCourse):
    commands = [start(new_course, "nbgrader", "generate_assignment", name) for name in ("async", "later")]
    output = [command.communicate()[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0], output
    assert all("the gradebook has its cells" in words and len(words.splitlines()) == 1 for words in output), output
    with Gradebook(address(new_course), "syncpoint") as gradebook:
        cells = {a.name: sorted(c.name for n in a.notebooks for c in n.grade_cells) for a in gradebook.assignments}
    assert cells == {name: ["test_double", "test_queue_work", "why"] for name in ("async", "later")}


def start(course: SmallCourse, *words: str) -> subprocess.Popen[str] | Forked:
    """Start a command of the tools in the course folder."""
    return command(words, course.root, environment(), stdout=subprocess.DEVNULL)


def address(course: SmallCourse) -> str:
    """Return the path of the course's gradebook."""
    return str(Course(course.root).settings().CourseDirectory.db_url)


class Reader:
    """A person who reads written answers: does to the gradebook what formgrader's handlers do.

    given: the points and the words that formgrader has confirmed, by student.
    """

    def __init__(self, gradebook: Gradebook):
        self._gradebook = gradebook
        self.given: dict[str, tuple[float, str]] = {}

    def read(self) -> None:
        """Give points and words, new ones each time, to everybody who is there."""
        students = [submission.student.id for submission in self._gradebook.assignment_submissions("async")]
        for student in students:
            grade = self._gradebook.find_grade("why", "work", "async", student).id
            comment = self._gradebook.find_comment("why", "work", "async", student).id
            self._read_one(student, grade, comment)

    def _read_one(self, student: str, grade_id: str, comment_id: str) -> None:
        before = self.given.get(student, (0.0, "0"))
        points, output = (before[0] + 0.25) % 2, str(int(before[1]) + 1)
        grade = self._gradebook.find_grade_by_id(grade_id)
        grade.manual_score, grade.extra_credit = points, None
        grade.needs_manual_grade = False
        self._gradebook.db.commit()
        self._gradebook.find_comment_by_id(comment_id).manual_comment = output
        self._gradebook.db.commit()
        self.given[student] = (points, output)


@dataclass(frozen=True)
class Worked:
    """What came of a class.  said: what each grader said, and its status.  given: see Reader."""

    course: SmallCourse
    message: list[tuple[str, int]]
    given: dict[str, tuple[float, str]]


STUDENTS = {"ada": (4, 2), "cleo": (4, 2), "dan": (4, 0), "eve": (4, 2)}
GRADERS = [
    ("nbgrader", "autograde", "async", "--student=a*", "--force"),
    ("nbgrader", "autograde", "async", "--student=c*"),
    ("nbgrader", "autograde", "async", "--student=[cd]*"),
    ("syncpoint", "grade", "async", "--student", "e*"),
]


@pytest.fixture(scope="module")
def worked(database: Database, tmp_path_factory: pytest.TempPathFactory) -> Worked:
    """A class on which four graders work at once, cleo has two of them, while somebody reads the answers."""
    course = SmallCourse.make(tmp_path_factory.mktemp("worked") / "course", PATIENT)
    course.configure(f"\nc.CourseDirectory.db_url = {database()!r}\n")
    course.must_run("nbgrader", "generate_assignment", "async")
    for student, (_, double) in STUDENTS.items():
        course.submit(student, course.solved(**({} if double else {"double": "def double(x):\n    return x"})))
    course.must_run("nbgrader", "autograde", "async", "--student=a*")
    with Gradebook(address(course), "syncpoint") as gradebook:
        reader = Reader(gradebook)
        graders = [start(course, *command) for command in GRADERS]
        for grader in graders:
            while grader.poll() is None:
                reader.read()
                with suppress(subprocess.TimeoutExpired):
                    grader.wait(0.1)  # a person is no faster
        reader.read()
    return Worked(course, [(grader.communicate()[1], grader.returncode) for grader in graders], reader.given)


@pytest.mark.slow
def test_no_grader_is_disturbed(worked: Worked):
    assert [status for _, status in worked.message] == [0] * len(GRADERS), worked.message


@pytest.mark.slow
def test_everybody_is_graded_and_scores_and_verdicts_agree(worked: Worked):
    with Gradebook(address(worked.course), "syncpoint") as gradebook:
        scores = {
            submission.student.id: tuple(
                gradebook.find_grade(cell, "work", "async", submission.student.id).auto_score
                for cell in ("test_queue_work", "test_double")
            )
            for submission in gradebook.assignment_submissions("async")
        }
    assert scores == STUDENTS
    for student, points in STUDENTS.items():
        (book,) = read_graded(Course(worked.course.root), student, "async")
        assert {v.name: v.points for v in book.notebook_result.exercises} == dict(
            zip(("test_queue_work", "test_double"), points, strict=True)
        )
        assert (worked.course.root / "autograded" / student / "async" / "work.ipynb").is_file()


@pytest.mark.slow
def test_everything_that_a_reader_wrote_is_there(worked: Worked):
    with Gradebook(address(worked.course), "syncpoint") as gradebook:
        there = {
            student: (
                gradebook.find_grade("why", "work", "async", student).manual_score,
                gradebook.find_comment("why", "work", "async", student).manual_comment,
            )
            for student in STUDENTS
        }
    assert there == worked.given
    assert max(int(words) for _, words in worked.given.values()) > 1  # written while graders were at work


FORMGRADER = """
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
app = NbGrader()
app.load_config_file()
api = NbGraderAPI(config=app.config)
print(api.autograde("async", "ada")["success"], flush=True)
input()
"""


@pytest.mark.exhaustive
def test_formgrader_gives_a_submission_back_when_it_is_graded(course: SmallCourse):
    course.submit("ada", course.solved())
    with subprocess.Popen(
        [sys.executable, "-c", FORMGRADER], cwd=course.root, env=environment(), stdin=-1, stdout=-1, text=True
    ) as server:
        assert server.stdout.read(5) == "True\n"
        assert Claims(course.root / "autograded").take_if_alone("ada/async")
        server.communicate("\n")


STORED = "another program has locked the gradebook"


@pytest.fixture
def impatient(course: SmallCourse) -> SmallCourse:
    """A class of one, in which everybody waits a second for the gradebook, and not five."""
    course.configure(f"\nc.CourseDirectory.db_url = 'sqlite:///{course.root}/gradebook.db?timeout=1'\n")
    course.submit("ada", course.solved())
    return course


@contextmanager
def stored(course: SmallCourse, how: str) -> Iterator[None]:
    """Hold the gradebook: nobody else writes (IMMEDIATE), or reads (EXCLUSIVE)."""
    with closing(sqlite3.connect(course.root / "gradebook.db")) as holder:
        holder.execute(f"BEGIN {how}")
        yield
        holder.rollback()


@pytest.mark.exhaustive
def test_a_locked_gradebook_stops_a_grader_with_one_sentence_and_loses_nothing(impatient: SmallCourse):
    with stored(impatient, "IMMEDIATE"):
        refused = impatient.run("syncpoint", "grade", "async")
    assert (refused.returncode, STORED in refused.stderr, "Traceback" in refused.stderr) == (1, True, False)
    impatient.must_run("syncpoint", "grade", "async")
    (book,) = read_graded(Course(impatient.root), "ada", "async")
    assert sum(exercise.points for exercise in book.notebook_result.exercises) == 6


@pytest.mark.parametrize(
    "command", [("syncpoint", "scores", "async"), ("nbgrader", "generate_assignment", "async", "--force")]
)
def test_a_locked_gradebook_is_named_by_the_program_that_opens_it(impatient: SmallCourse, command: tuple[str, ...]):
    with stored(impatient, "EXCLUSIVE"):
        done = impatient.run(*command)
    assert (done.returncode, STORED in done.stderr, "Traceback" in done.stderr) == (1, True, False)


def test_a_locked_gradebook_rejects_a_roster_and_says_so(impatient: SmallCourse):
    (impatient.root / "roster.csv").write_text("id\nada\n")
    with stored(impatient, "IMMEDIATE"):
        done = impatient.run("syncpoint", "roster", "roster.csv")
    assert (done.returncode, STORED in done.stderr, "Traceback" in done.stderr) == (1, True, False)

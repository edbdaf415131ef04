"""Nothing is lost: whatever is killed, full, locked or unwritable, the next run grades every student once."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from classroom import SmallCourse
from faults import STUDENTS, Blow, Classroom, Ended, Target, plans, short_temporary_folder

from syncpoint.course.folder import Course
from syncpoint.records.read_results import read_graded
from syncpoint.sandbox.spec import find_bubblewrap

pytestmark = pytest.mark.exhaustive

SEED = 20261121
PLANS = plans(SEED, 10)  # of two blows each


@pytest.fixture(scope="module")
def quiet(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> float:
    """Seconds that a student takes when nothing is wrong."""
    with short_temporary_folder() as temporary:
        classroom = Classroom(released.copy(tmp_path_factory.mktemp("quiet") / "course"), temporary)
        ended = classroom.grade()
        assert (ended.status, classroom.wrongs()) == (0, []), ended.message
    return ended.seconds


@pytest.fixture
def classroom(course: SmallCourse) -> Iterator[Classroom]:
    """A class that waits to be graded."""
    with short_temporary_folder() as temporary:
        yield Classroom(course, temporary)


def assert_mends(classroom: Classroom) -> None:
    """One more run grades everybody, and leaves nothing behind."""
    again = classroom.grade()
    assert (again.status, classroom.wrongs()) == (0, []), again.message


@pytest.mark.parametrize("blows", PLANS, ids=lambda blows: ", ".join(map(str, blows)))
def test_a_run_after_any_kill_grades_everybody_once(classroom: Classroom, quiet: float, blows: tuple[Blow, ...]):
    classroom.grade(blows, quiet)
    assert_mends(classroom)


@pytest.mark.parametrize("target", ["bubblewrap", "init", "kernel"])
def test_a_killed_kernel_costs_no_points(classroom: Classroom, quiet: float, target):
    ended = classroom.grade([Blow(target, "bob", 0.9)], quiet)
    if ended.status:  # it had not started yet
        assert "bob is not graded: the kernel was killed" in ended.message
        ended = classroom.grade()
    assert (ended.status, classroom.wrongs()) == (0, []), ended.message


def test_a_student_who_kills_the_kernel_is_graded(classroom: Classroom):
    suicide = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)"
    shutil.rmtree(classroom.course.root / "submitted" / "bob")
    classroom.course.submit("ada", classroom.course.solved(double=suicide))
    ended = classroom.grade()
    assert (ended.status, classroom.course.scores()) == (0, {"ada": (4.0, 0.0)})
    assert "ada: the kernel was killed, but not by the grader" in ended.message


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
@pytest.mark.parametrize("after", ["judging process", "kernel"])
def test_whoever_asks_the_judge_to_end_finds_nothing_left(classroom: Classroom, number: signal.Signals, after: Target):
    ended = classroom.grade([Blow("judge", "ada", after, number)])
    assert ended.status not in (0, -signal.SIGKILL)
    by = "Ctrl-C" if number == signal.SIGINT else number.name
    assert ended.message.splitlines() == [
        f"Stopped by {by} before anybody was graded; nothing is lost: run the same command again."
    ]
    assert (classroom.left_behind(), sorted(classroom.course.root.glob("autograded/*/async"))) == ([], []), (
        ended.message
    )


def bubblewrap(*arguments: str) -> list[str]:
    """A command that runs another one with parts of this machine replaced."""
    return [find_bubblewrap(), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", *arguments, "--"]


def assert_not_graded(classroom: Classroom, ended: Ended, *words: str) -> None:
    """Check that the run failed, says why and what to do, and gave no undeserved points and no 0."""
    assert ended.status != 0
    assert [word for word in (*words, " again") if word not in ended.message] == [], ended.message
    assert "Traceback" not in ended.message
    assert not list(classroom.course.root.glob("autograded/*/async/*"))
    with closing(sqlite3.connect(classroom.course.root / "gradebook.db")) as gradebook:
        written = gradebook.execute("SELECT count(auto_score), total(auto_score) FROM grade").fetchone()
    assert written in ((0, 0.0), (6, 10.0))  # nothing, or all that both students earned


def test_a_full_disk_is_named(classroom: Classroom):
    autograded = classroom.course.root / "autograded"
    autograded.mkdir()
    ended = classroom.grade(inside=bubblewrap("--size", "4096", "--tmpfs", str(autograded)))
    assert_not_graded(classroom, ended, "ada is not graded: there is no room left on the disk")
    assert_mends(classroom)


def test_a_folder_that_cannot_be_written_is_named(classroom: Classroom):
    autograded = classroom.course.root / "autograded"
    autograded.mkdir()
    ended = classroom.grade(inside=bubblewrap("--ro-bind", str(autograded), str(autograded)))
    assert_not_graded(classroom, ended, f"{autograded} cannot be used (Read-only file system)", "make it writable")
    assert_mends(classroom)


def test_a_temporary_folder_that_cannot_be_written_is_named(classroom: Classroom):
    hidden = [word for name in ("/tmp", "/var/tmp") for word in ("--ro-bind", name, name)]
    root = str(classroom.course.root)
    ended = classroom.grade(inside=bubblewrap(*hidden, "--bind", root, root))
    assert_not_graded(classroom, ended, "no folder for the kernel's sockets can be made", "TMPDIR")
    assert_mends(classroom)


@pytest.mark.parametrize("student", ["", "ada"])
def test_a_locked_gradebook_is_named(classroom: Classroom, student: str):
    with (
        closing(sqlite3.connect(classroom.course.root / "gradebook.db", timeout=60)) as gradebook,
        classroom.running() as judge,
    ):
        output = ""
        while student not in output and (line := judge.stderr.readline()):
            output += line
        gradebook.execute("BEGIN EXCLUSIVE")
        output += judge.stderr.read()
        status = judge.wait()
        gradebook.rollback()
    assert status != 0
    assert "ot graded: another program has locked the gradebook" in output
    assert "Traceback" not in output
    assert_mends(classroom)


LARGE, DEEP = 50 * 10**6, 10**5
REFUSED = {
    "many_cells": "has more than 2000 cells",
    "much_output": "is larger than 20 MiB",
    "deep": "is not a notebook",
    "no_utf_8": "is not a notebook",
    "zeros": "is not a notebook",
    "folder": "was not submitted",
    "link_to_itself": "is a link to another file",
    "Ünï {x} .. ": "is not a notebook",
}
ODD_TIMES = ("time_is_a_word", "time_is_endless", "time_is_a_pipe", "time_is_a_folder")
ODD_NAMES = ("line\nbreak", "bob [a-z]*", os.fsdecode(b"no_text_\xff"))


def hand_in_odd_notebooks(course: SmallCourse) -> None:
    for student in (*REFUSED, *ODD_TIMES, *ODD_NAMES):
        course.submit(student, "no notebook")
    many, much = course.solved(), course.solved()
    many["cells"] += [many["cells"][0]] * 10_000
    much["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "x" * LARGE}]
    deep = course.submit("deep", '{"cells": ' + "[" * DEEP + "]" * DEEP + "}")
    course.submit("many_cells", many)
    course.submit("much_output", much)
    deep.with_name("beside.ipynb").write_text("[" * DEEP)
    (course.folder("no_utf_8") / "work.ipynb").write_bytes(b"\xff\xfe no text")
    (course.folder("zeros") / "work.ipynb").write_bytes(bytes(LARGE // 100))
    for student in ("folder", "link_to_itself"):
        (course.folder(student) / "work.ipynb").unlink()
    (course.folder("folder") / "work.ipynb").mkdir()
    (course.folder("link_to_itself") / "work.ipynb").symlink_to("work.ipynb")
    word, endless, pipe, folder = (course.folder(student) / "timestamp.txt" for student in ODD_TIMES)
    word.write_text("yesterday")
    endless.touch()
    os.truncate(endless, 2**33)
    os.mkfifo(pipe)
    folder.mkdir()


def test_odd_notebooks_and_names_cost_no_other_student_anything(classroom: Classroom):
    hand_in_odd_notebooks(classroom.course)
    ended = classroom.grade()
    assert ended.status == 1
    assert classroom.course.scores() == {**dict.fromkeys((*REFUSED, *ODD_TIMES), (0.0, 0.0)), **STUDENTS}
    reasons = {
        student: read_graded(Course(classroom.course.root), student, "async")[0].notebook_result.incidents[-1].message
        for student in REFUSED
    }
    assert [student for student, words in REFUSED.items() if words not in str(reasons[student])] == []
    assert [name for name in ODD_TIMES if f"{name}/async/timestamp.txt has no valid time" not in ended.message] == []
    shown = [repr(name).strip("'") for name in ODD_NAMES]
    assert [name for name in shown if name not in ended.message.replace("\\\\", "\\")] == []
    assert ended.message.count("Rename it.") == 2 * len(ODD_NAMES)  # when it happens, and in the summary
    for name in ODD_NAMES:
        shutil.rmtree(classroom.course.root / "submitted" / name)
    assert classroom.grade().status == 0

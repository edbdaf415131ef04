"""The boundary around a submission: whatever fails with one, at any step, the others are graded, and it is later."""

import os
import shutil
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from classroom import BIN, SmallCourse
from steps import in_a_fork

FULL = (4, 2)


def coordinate() -> int:
    """``syncpoint grade async``."""
    from syncpoint.cli import app

    return app(["grade", "async", "--workers", "1"], standalone_mode=False)


# --- every step ---------------------------------------------------------------------------------------------------


def _submit(course: SmallCourse, students: list[str]) -> None:
    """The same work of all of them, so that one result serves all; each with files beside it and another answer."""
    for student in students:
        course.submit(student, course.solved(why=f"Because {student}."))
        (course.folder(student) / "data.txt").write_text("1")
        (course.folder(student) / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC")


@pytest.mark.exhaustive
def test_a_fault_at_any_step_is_that_submissions_alone(
    course: SmallCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PATH", f"{BIN}:{os.environ['PATH']}")
    clean = course.copy(tmp_path / "clean")
    _submit(course, ["ada"])
    done = course.nbgrader("autograde", "async")  # its result is kept for all that follows
    assert done.returncode == 0, done.stderr
    shutil.copytree(course.root / ".syncpoint", clean.root / ".syncpoint")
    _submit(course, ["eve"])
    status, steps, output = in_a_fork(course.root, coordinate, {})
    assert (status, course.scores()) == (0, dict.fromkeys(("ada", "eve"), FULL)), output
    assert len(steps) > 30
    faults = {f"eve{number:02}": step for number, step in enumerate(steps)}
    _submit(clean, ["ada", *faults, "zoe"])
    status, _, output = in_a_fork(clean.root, coordinate, faults)
    graded = {path.parent.name for path in (clean.root / "autograded").glob("*/async")}
    assert {student: step for student, step in faults.items() if student in graded} == {}
    assert (status, graded) == (1, {"ada", "zoe"}), output
    assert {student: step for student, step in faults.items() if student not in output} == {}
    assert output.count("the disk has an error") >= len(faults) and "Traceback" not in output
    status, _, output = in_a_fork(clean.root, coordinate, {})
    assert (status, clean.scores()) == (0, dict.fromkeys(("ada", *faults, "zoe"), FULL)), output


# --- folders of all kinds -----------------------------------------------------------------------------------------


def _deep(folder: Path, length: int = 4000) -> None:
    """Folders in folders until the path has this length, and a file in the last one over the limit of Linux."""
    at = os.open(folder, os.O_RDONLY)
    path = str(folder)
    while len(path) < length:
        name = "d" * min(200, max(1, length - len(path)))
        os.mkdir(name, dir_fd=at)
        inner = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at, path = inner, f"{path}/{name}"
    os.close(os.open("f" * 200, os.O_CREAT | os.O_WRONLY, dir_fd=at))
    os.close(at)


def _nested(folder: Path) -> None:
    """More levels of folders than Python's stack has places."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("d", dir_fd=at)
        inner = os.open("d", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = inner
    os.close(at)


def _socket(folder: Path) -> None:
    here = os.getcwd()
    os.chdir(folder)  # the name of a socket is short
    try:
        socket.socket(socket.AF_UNIX).bind("socket")
    finally:
        os.chdir(here)


def _sparse(folder: Path) -> None:
    with (folder / "sparse").open("wb") as file:
        file.truncate(2**40)


def _forbidden(folder: Path) -> None:
    for name, mode in (("none", 0), ("all", 0o7777)):
        (folder / name).write_text("x")
        (folder / name).chmod(mode)
    (folder / "closed").mkdir()
    (folder / "closed" / "x").write_text("x")
    (folder / "closed").chmod(0)


def _odd_names(folder: Path) -> None:
    for name in (
        b"caf\xe9",
        b"a\nb",
        b"*",
        b"[a]",
        b"-rf",
        b"\x1b[1m",
        b"a\\b",
        b" ",
        "\u202egnp.x".encode(),
        b"n" * 255,
    ):
        Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_text("x")


def _many(folder: Path) -> None:
    for number in range(3000):
        (folder / "many" / str(number % 50)).mkdir(parents=True, exist_ok=True)
        (folder / "many" / str(number % 50) / str(number)).touch()


def _device(folder: Path) -> None:
    try:
        os.mknod(folder / "zero", 0o666 | stat.S_IFCHR, os.makedev(1, 5))
    except PermissionError:
        os.mkfifo(folder / "zero")


KINDS: dict[str, Callable[[Path], None]] = {
    "deep": _deep,
    "socket": _socket,
    "fifo": lambda folder: os.mkfifo(folder / "other.ipynb"),
    "device": _device,
    "sparse": _sparse,
    "forbidden": _forbidden,
    "odd_names": _odd_names,
    "many": _many,
    "loop": lambda folder: (folder / "loop").symlink_to("loop"),
    "like_a_file": lambda folder: (
        (folder / "timeline.py" / "inner").mkdir(parents=True)
        or (folder / "timeline.py" / "inner" / "x").write_text("x")
    ),
    "like_a_folder": lambda folder: (folder / "data").write_text("x"),
    "stamp_is_folder": lambda folder: (folder / "timestamp.txt" / "x").mkdir(parents=True),
}


@pytest.fixture
def crowd(course: SmallCourse) -> SmallCourse:
    """A course with files of its own, and a submission with each kind of folder."""
    source = course.root / "source" / "async"
    (source / "timeline.py").write_text("def twice(x):\n    return x * 2\n")
    (source / "data").mkdir()
    (source / "data" / "x.txt").write_text("1")
    course.must_run("nbgrader", "generate_assignment", "async", "--force")
    uses = "from timeline import twice\nassert open('data/x.txt').read() == '1'\ndef double(x):\n    return twice(x)"
    for kind, make in KINDS.items():
        course.submit(kind, course.solved(double=uses))
        make(course.folder(kind))
    return course


@pytest.mark.slow
def test_folders_of_all_kinds_are_graded_with_the_courses_own_files(crowd: SmallCourse):
    crowd.must_run("nbgrader", "autograde", "async")
    assert crowd.scores() == dict.fromkeys(KINDS, FULL)
    crowd.must_run("nbgrader", "generate_feedback", "async")
    for kind, name in {"like_a_file": "timeline.py", "like_a_folder": "data", "deep": "d" * 200}.items():
        assert f"Not used: &#39;{name}&#39;" in crowd.feedback(kind) or f"Not used: '{name}'" in crowd.feedback(kind)


def _crowded(folder: Path) -> None:
    for number in range(10_001):
        (folder / str(number)).touch()


ENDLESS = {"more than 10,000 files and folders": _crowded, "more than 200 levels of folders": _nested}


@pytest.mark.exhaustive
def test_a_folder_that_takes_too_long_to_walk_is_reported_and_all_others_are_graded(course: SmallCourse):
    for student in ("ada", "zoe", *ENDLESS):
        course.submit(student, course.solved())
    for what, make in ENDLESS.items():
        make(course.folder(what))
    done = course.nbgrader("autograde", "async")
    output = done.stdout + done.stderr
    assert done.returncode == 1 and "Traceback" not in output
    assert [what for what in ENDLESS if f"async contains {what}. Remove what is not needed." not in output] == []
    assert course.scores() == dict.fromkeys(("ada", "zoe"), FULL)
    for what in ENDLESS:  # `rm` gets through folders that Python's rmtree does not
        course.run("rm", "-r", str(course.folder(what)))
        course.submit(what, course.solved())
    course.must_run("nbgrader", "autograde", "async")
    assert course.scores() == dict.fromkeys(("ada", "zoe", *ENDLESS), FULL)

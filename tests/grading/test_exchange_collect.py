"""`nbgrader collect`: everybody can write into the exchange, but nobody gains or loses points by it."""

import os
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from classroom import SmallCourse
from exchange import EARLIER, LATER, ME, hand_in, inbound, with_exchange

from syncpoint.nbgrader_hooks.exchange_collect import sweep


@pytest.fixture
def course(released: SmallCourse, tmp_path: Path) -> SmallCourse:
    """The small course, with an exchange that has handed its assignment out."""
    return with_exchange(released.copy(tmp_path / "course"), tmp_path / "exchange")


def collect(course: SmallCourse) -> str:
    """Return the output of ``nbgrader collect async``."""
    done = course.must_run("nbgrader", "collect", "async", "--update")
    return done.stderr


def collected(course: SmallCourse) -> dict[str, str]:
    """Student -> the collected text."""
    return {path.parts[-3]: path.read_text() for path in (course.root / "submitted").glob("*/async/work.ipynb")}


def test_the_newest_work_of_a_student_is_collected(course: SmallCourse):
    hand_in(course, ME, EARLIER, "first")
    hand_in(course, ME, LATER, "second")
    output = collect(course)
    assert collected(course) == {ME: "second"} and f"collected submissions of {ME}" in output


def test_where_nothing_is_collected_it_is_said(course: SmallCourse):
    assert f"async: nothing was collected: {inbound(course)} has no submission that can be collected." in collect(
        course
    )
    hand_in(course, ME)
    collect(course)
    assert collect(course) == f"async: kept the collected submissions of {ME}: there is no newer submission.\n"
    hand_in(course, ME, LATER, "second")
    output = course.nbgrader("collect", "async").stderr
    assert output == f"async: kept the collected submissions of {ME}: --update collects newer submissions.\n"
    assert collected(course) == {ME: "work"}
    assert collect(course) == f"async: collected submissions of {ME}.\n"


def test_work_under_another_name_is_not_taken_for_theirs(course: SmallCourse):
    hand_in(course, "somebody", LATER, "forged")
    output = collect(course)
    assert collected(course) == {} and f"is named after somebody but belongs to {ME}" in output


@pytest.mark.exhaustive
def test_ten_thousand_forged_folders_are_one_line(course: SmallCourse):
    hand_in(course, ME)
    for number in range(10_000):
        (inbound(course) / f"somebody{number}+async+{LATER}+x").mkdir()
    lines = collect(course).splitlines()
    assert collected(course) == {ME: "work"} and len(lines) == 2
    assert "not collected: 10000 folders" in lines[0] and lines[0].count("somebody") >= 3 and len(lines[0]) < 1000


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
def test_a_newer_forged_folder_does_not_hide_a_students_own(course: SmallCourse):
    hand_in(course, ME, EARLIER, "mine")
    forged = hand_in(course, ME, LATER, "forged")
    os.chown(forged, 65534, 65534)
    collect(course)
    assert collected(course) == {ME: "mine"}


@pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
def test_a_file_of_another_user_is_left(course: SmallCourse):
    folder = hand_in(course, ME)
    (folder / "lent.txt").write_text("another's")
    os.chown(folder / "lent.txt", 65534, 65534)
    output = collect(course)
    assert not (course.folder(ME) / "lent.txt").exists() and "lent.txt" in output


def test_no_link_is_followed(course: SmallCourse):
    secret = course.grader("test_double")
    folder = hand_in(course, ME)
    (folder / "module.py").symlink_to(secret)
    (folder / "graders").symlink_to(secret.parent)
    output = collect(course)
    assert sorted(path.name for path in course.folder(ME).rglob("*")) == [
        "submission_secret.txt",
        "timestamp.txt",
        "work.ipynb",
    ]
    assert "module.py" in output


def test_a_folder_that_is_a_link_is_not_taken(course: SmallCourse, tmp_path: Path):
    folder = hand_in(course, ME)
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    assert "it is a link" in collect(course)
    assert collected(course) == {}


def test_a_pipe_and_a_socket_block_nobody(course: SmallCourse, monkeypatch: pytest.MonkeyPatch):
    folder = hand_in(course, ME)
    os.mkfifo(folder / "pipe")
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
    output = collect(course)
    assert collected(course) == {ME: "work"} and "pipe" in output and "socket" in output


def test_strange_names_do_not_stop_the_collection_of_others(course: SmallCourse):
    hand_in(course, ME)
    for name in ("x+async+no time", "x+async+", f"a\nb+async+{EARLIER}+a", f"*+async+{EARLIER}+a"):
        (inbound(course) / name).mkdir()
    assert "not collected" in collect(course)
    assert collected(course) == {ME: "work"}


def test_what_is_still_being_handed_in_is_left_for_the_next_time(course: SmallCourse):
    hand_in(course, ME, EARLIER, "all of it")
    half = hand_in(course, ME, LATER, "hal")
    half.chmod(0o755)
    assert "still incomplete" in collect(course)
    assert collected(course) == {ME: "all of it"}
    (half / "work.ipynb").write_text("the newer one")
    half.chmod(0o777)
    collect(course)
    assert collected(course) == {ME: "the newer one"}


def test_a_course_may_do_without_owners(course: SmallCourse):
    course.configure("c.ExchangeCollect.check_owner = False\n")
    hand_in(course, "somebody")
    collect(course)
    assert collected(course) == {"somebody": "work"}


def deep(folder: Path) -> None:
    """Folders in each other, further than a path can name."""
    parts = ["d" * 200] * 30
    handle = os.open(folder, os.O_RDONLY)
    for part in parts:
        os.mkdir(part, dir_fd=handle)
        inner = os.open(part, os.O_RDONLY, dir_fd=handle)
        os.close(handle)
        handle = inner
    os.close(handle)


def as_folder(stamp: Path) -> None:
    stamp.unlink()
    stamp.mkdir()


def as_link(stamp: Path) -> None:
    stamp.unlink()
    stamp.symlink_to("/etc/passwd")


SPOILED: dict[str, tuple[Callable[[Path], object], str]] = {
    "sparse": (lambda folder: os.truncate(folder / "work.ipynb", 5 << 40), "too big"),
    "big": (lambda folder: (folder / "big").write_bytes(b"x" * 3_000_000), "too big"),
    "long": (deep, "File name too long"),
    "deep": (lambda folder: (folder / "/".join("d" * 201)).mkdir(parents=True), "levels of folders"),
    "many": (lambda folder: [(folder / f"{n}").touch() for n in range(10_001)], "more than 10,000 files"),
    "time-a-folder": (lambda folder: as_folder(folder / "timestamp.txt"), "still incomplete"),
    "time-a-link": (lambda folder: as_link(folder / "timestamp.txt"), "still incomplete"),
}


def test_what_cannot_be_copied_is_left_and_stops_nobody_elses_collection(course: SmallCourse):
    course.configure("c.ExchangeCollect.check_owner = False\nc.CourseDirectory.max_dir_size = 2000\n")
    for student in SPOILED:
        hand_in(course, student, EARLIER, "before")
    collect(course)
    damaged = {student: hand_in(course, student, LATER) for student in SPOILED}
    for student, (spoil, _) in SPOILED.items():
        spoil(damaged[student])
    hand_in(course, "zoe")
    reported = collect(course)
    assert collected(course) == {**dict.fromkeys(SPOILED, "before"), "zoe": "work"}
    lines = reported.splitlines()
    for student, (_, why) in SPOILED.items():
        assert any(student in line and why in line for line in lines), reported
    assert "Traceback" not in reported
    assert not list((course.root / ".syncpoint").glob("collecting-*"))
    shutil.rmtree(damaged["long"])


def test_the_time_of_a_submission_is_that_of_its_folders_name(course: SmallCourse):
    course.configure("c.ExchangeCollect.check_owner = False\n")
    stamps = dict(zip("abcd", (b"garbage", b"\xff\xfe", b"", b"2999-01-01 00:00:00.000000 UTC"), strict=True))
    for student, stamp in stamps.items():
        (hand_in(course, student, EARLIER, "first") / "timestamp.txt").write_bytes(stamp)
    collect(course)
    mine = [course.folder(student) / "timestamp.txt" for student in stamps]
    assert {time.read_text() for time in mine} == {EARLIER}
    for student, time in zip(stamps, mine, strict=True):
        time.write_bytes(b"\xff")  # as an earlier version has left it
        hand_in(course, student, LATER, "second")
    hand_in(course, "zoe")
    collect(course)
    assert collected(course) == {**dict.fromkeys(stamps, "second"), "zoe": "work"}
    assert {time.read_text() for time in mine} == {LATER}


def test_what_a_killed_collection_left_is_swept(course: SmallCourse):
    left = course.root / ".syncpoint" / "collecting-abc" / "taken"
    left.mkdir(parents=True)
    sweep(course.root)
    assert not left.parent.exists()

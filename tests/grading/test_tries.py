"""Every judged submission is kept, and the course says which one counts."""

import errno
import json
import os
import random
import shutil
import sqlite3
import tarfile
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from exchange import EARLIER, LATER, ME, hand_in, with_exchange
from nbgrader.api import Gradebook
from plain_class import RIGHT, WRONG, PlainCourse
from sqlalchemy import create_engine
from traitlets.config import Config

from syncpoint.check.status import note_name
from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.shared_files import SharedFiles
from syncpoint.course.tries import which_counts
from syncpoint.dashboard.source import Source
from syncpoint.dashboard.url_state import UrlState
from syncpoint.dashboard.views.classroom import ClassView
from syncpoint.grading.claims import Claims
from syncpoint.grading.try_files import (
    MAX_PACKED_BYTES,
    DamagedTry,
    SubmissionChanged,
    TryFiles,
    close,
    digest_of,
    submitted_files,
    sweep,
)
from syncpoint.grading.try_lines import differences, restored
from syncpoint.records.database import upgrade
from syncpoint.records.tries import Try, save_tries

pytestmark = pytest.mark.slow

FULL, HALF, NONE = (2.0, 3.0), (0.0, 3.0), (0.0, 0.0)
DAYS = [f"2026-03-0{day} 12:00:00 UTC" for day in range(1, 8)]
LATE = (
    'c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late_rule.SharePerPeriod"\n'
    "c.SharePerPeriod.share = 0.3\n"
)
HALF_RIGHT = {"double": WRONG["double"]}


def test_what_is_kept_are_notebooks_and_accepted_files_and_different_work_is_another_try(tmp_path: Path):
    for name, text in {"work.ipynb": "1", "other.ipynb": "", "a.txt": "", "timestamp.txt": "", "x/b.txt": ""}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    kept = submitted_files(tmp_path, [tmp_path / "a.txt", tmp_path / "link.txt"], ["work"])
    assert sorted(kept) == ["work.ipynb", "x/b.txt"]
    assert sorted(submitted_files(tmp_path, [tmp_path / "x"], ["work"])) == ["a.txt", "work.ipynb"]
    all_rejected = submitted_files(tmp_path, [tmp_path], ["work"])
    assert sorted(all_rejected) == ["work.ipynb"]
    before = digest_of(all_rejected)
    (tmp_path / "work.ipynb").write_text("2")
    assert digest_of(all_rejected) != before


@pytest.fixture
def handed_in(tmp_path: Path) -> dict[str, Path]:
    """The files of a submission, one of them of the release."""
    contents = {
        "work.ipynb": b"student's own " * 5000,
        "release.whl": b"wheel",
        "x/big.bin": b"a" * (MAX_PACKED_BYTES + 1),
        # A student may name a file like one of ours, or with bytes that are no text.
        "0.async.tar.xz": b"mine",
        os.fsdecode(b"x/\xff"): b"odd",
    }
    for name, content in contents.items():
        path = tmp_path / "submitted/ada/async" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "release/async").mkdir(parents=True)
    (tmp_path / "release/async/release.whl").write_bytes(b"wheel")
    return {name: tmp_path / "submitted/ada/async" / name for name in contents}


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_try_is_kept_small_and_opens_as_it_was(tmp_path: Path, handed_in: dict[str, Path]):
    files, shared = TryFiles(tmp_path, "async"), SharedFiles(tmp_path, "async")
    digest = digest_of(handed_in)
    wanted = {name: path.read_bytes() for name, path in handed_in.items()}
    files.keep("ada", digest, handed_in, datetime(2026, 3, 1), shared)
    kept = files.archive("ada", digest)
    before = kept.read_bytes()
    assert len(before) < len(wanted["work.ipynb"]) / 20
    # The release's file is a link, a large one is a copy; neither is in the archive.
    beside = {path.name: path.stat().st_nlink for path in kept.parent.rglob("*") if path.is_file() and path != kept}
    assert beside == {"release.whl": 2, "big.bin": 1}
    shutil.rmtree(tmp_path / "submitted")  # nothing depends on it
    folder = files.open("ada", digest)
    assert folder is not None and folder.name == "async"
    assert contents(folder) == wanted | {"timestamp.txt": b"2026-03-01 00:00:00.000000 UTC"}
    close(folder)
    assert not folder.parent.exists() and not list(kept.parent.glob(".*"))
    # Only the time changes.
    files.keep("ada", digest, {}, None, shared)
    again = files.open("ada", digest)
    assert again is not None and contents(again) == wanted
    files.keep("ada", digest, {}, datetime(2026, 3, 1), shared)
    assert kept.read_bytes() == before
    sweep(tmp_path)
    assert again.is_dir()  # perhaps a run uses it
    os.utime(again.parent, (0, 0))
    sweep(tmp_path)
    assert not again.parent.exists() and kept.is_file()
    files.remove("ada", digest)
    assert not list(kept.parent.iterdir()) and files.open("ada", digest) is None


def test_a_damaged_try_ends_in_a_sentence_and_is_kept_again(tmp_path: Path, handed_in: dict[str, Path]):
    files, shared = TryFiles(tmp_path, "async"), SharedFiles(tmp_path, "async")
    handed_in["work.ipynb"].write_bytes(random.Random(1).randbytes(2000))
    digest = digest_of(handed_in)
    files.keep("ada", digest, handed_in, None, shared)
    kept = files.archive("ada", digest)
    whole = kept.read_bytes()
    # The content's first bytes are packed as they are: another one is read without an error until the checksum.
    flipped = [bytes([*whole[:at], whole[at] ^ 1, *whole[at + 1 :]]) for at in range(0, len(whole), 20)]
    for torn in (b"", whole[: len(whole) // 2], b"x" + whole[1:], *flipped):
        kept.write_bytes(torn)
        with pytest.raises(DamagedTry, match="from a backup"):
            files.open("ada", digest)
        assert not list(kept.parent.glob(".*"))
    files.keep("ada", digest, handed_in, None, shared)
    assert kept.read_bytes() == whole


def test_of_a_released_notebook_only_the_students_lines_are_kept(tmp_path: Path, handed_in: dict[str, Path]):
    files, shared = TryFiles(tmp_path, "async"), SharedFiles(tmp_path, "async")
    lines = [random.Random(number).randbytes(30).hex() for number in range(400)]
    for place, text in {"work.ipynb": "\r\n".join(lines), "languages/de/work.ipynb": "\n".join(lines)}.items():
        path = tmp_path / "release/async" / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    wanted = "\n".join([*lines[:200], "ä \u2028 mine", *lines[210:], *lines[:5]]).encode() + b"\xff\n"
    handed_in["work.ipynb"].write_bytes(wanted)
    digest = digest_of(handed_in)
    files.keep("ada", digest, handed_in, None, shared)
    kept = files.archive("ada", digest)
    whole = kept.read_bytes()
    assert len(whole) < 1000
    (released,) = (tmp_path / ".syncpoint/tries/.released").iterdir()
    assert released.read_bytes() == (tmp_path / "release/async/languages/de/work.ipynb").read_bytes()
    content = released.read_bytes()
    for damaged in (content[:100], b""):
        released.write_bytes(damaged)
        with pytest.raises(DamagedTry, match=released.name):
            files.open("ada", digest)
        files.keep("ada", digest, handed_in, None, shared)
        assert (kept.read_bytes(), released.read_bytes()) == (whole, content)
    released.unlink()
    with pytest.raises(DamagedTry, match=released.name):
        files.open("ada", digest)
    files.keep("ada", digest, handed_in, None, shared)
    shutil.rmtree(tmp_path / "release")  # there is a newer one
    sweep(tmp_path)
    folder = files.open("ada", digest)
    assert folder is not None and (folder / "work.ipynb").read_bytes() == wanted
    close(folder)


EDGES = [
    (b"", b""),
    (b"", b"a"),
    (b"a", b""),
    (b"a\n", b"a"),
    (b"a", b"a\n"),
    (b"a\na\nb", b"a\nb\na"),
    (b"\n\n", b"\n"),
]


@pytest.mark.parametrize(("content", "released"), EDGES)
def test_differences_give_the_file_back(content: bytes, released: bytes):
    assert restored(differences(content, released), released) == content


@pytest.mark.parametrize("name", ["work.ipynb", "x/big.bin"])
def test_work_that_is_not_what_was_judged_is_not_kept_as_it(tmp_path: Path, handed_in: dict[str, Path], name: str):
    files, shared, digest = TryFiles(tmp_path, "async"), SharedFiles(tmp_path, "async"), digest_of(handed_in)
    before = handed_in[name].read_bytes()
    handed_in[name].write_bytes(b"newer" + before)
    with pytest.raises(SubmissionChanged, match="Grade it again"):
        files.keep("ada", digest, handed_in, None, shared)
    assert not list(files.archive("ada", digest).parent.iterdir())
    handed_in[name].write_bytes(before)
    files.keep("ada", digest, handed_in, None, shared)
    assert files.archive("ada", digest).is_file()


def test_a_try_opens_where_no_links_are_possible(tmp_path: Path, handed_in: dict[str, Path], monkeypatch: Any):
    files, digest = TryFiles(tmp_path, "async"), digest_of(handed_in)
    wanted = {name: path.read_bytes() for name, path in handed_in.items()}
    files.keep("ada", digest, handed_in, None, SharedFiles(tmp_path, "async"))

    def refused(*_: Any) -> None:
        raise PermissionError(errno.EPERM, "Operation not permitted")  # as for another user's file

    monkeypatch.setattr(os, "link", refused)
    folder = files.open("ada", digest)
    assert folder is not None and contents(folder) == wanted
    close(folder)


def test_sweeping_leaves_a_file_of_a_try_that_is_named_like_an_unfinished_one(tmp_path: Path):
    for place in ("1.async", "2/async"):
        path = tmp_path / ".syncpoint/tries/ada" / place / ".data.part"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"mine")
    sweep(tmp_path)
    assert len(list(tmp_path.rglob("*.part"))) == 2


def test_a_rule_that_is_none_ends_in_a_sentence():
    with pytest.raises(CourseError, match=r"c\.Tries in nbgrader_config\.py: .*'bset'"):
        which_counts(Config({"Tries": {"counts": "bset"}}))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, plain_engine: Path) -> PlainCourse:
    return PlainCourse.make(tmp_path_factory.mktemp("tries") / "course")


@pytest.fixture
def course(made: PlainCourse, tmp_path: Path) -> PlainCourse:
    return made.copy(tmp_path / "course")


def rows(course: PlainCourse, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(course.root / "gradebook.db")) as gradebook:
        return gradebook.execute(query).fetchall()


def tries(course: PlainCourse, student: str = "ada") -> list[tuple[float, bool]]:
    """The points of each try, and whether it counts."""
    found = rows(course, f"SELECT points, counts FROM syncpoint_tries WHERE student = '{student}' ORDER BY id")
    return [(points, bool(counts)) for points, counts in found]


def penalty(course: PlainCourse) -> float | None:
    ((found,),) = rows(course, "SELECT late_submission_penalty FROM submitted_notebook")
    return found


def test_the_newest_counts_and_all_are_kept(course: PlainCourse):
    course.hand_in("ada", DAYS[0])
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[1], {"notes.txt": "mine"}, **HALF_RIGHT)
    course.syncpoint("grade", "async")
    assert (course.scores()["ada"], tries(course)) == (HALF, [(5.0, False), (3.0, True)])
    kept = sorted((course.root / ".syncpoint" / "tries" / "ada").glob("*.async.tar.xz"))
    names = [tarfile.open(path).getnames() for path in kept]
    usual = ["whole/timestamp.txt", "whole/work.ipynb"]
    assert sorted(names, key=len) == [usual, ["whole/notes.txt", *usual]]
    course.syncpoint("grade", "async", "--force")
    assert tries(course) == [(5.0, False), (3.0, True)]


def test_the_best_counts_with_its_own_time_and_stays_when_worse_work_comes(course: PlainCourse):
    course.configure(f'c.Tries.counts = "best"\n{LATE}')
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2026-03-02 12:00 UTC")
    course.hand_in("ada", DAYS[0], {"submission_secret.txt": "first"}, **HALF_RIGHT)
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[4], {"submission_secret.txt": "second"})  # 5 points, less 4.5 for three days
    course.syncpoint("grade", "async")
    assert (course.scores()["ada"], tries(course)) == (HALF, [(3.0, True), (5.0, False)])
    assert penalty(course) is None
    graded = course.root / "autograded/ada/async"  # the exchange finds the page of what was submitted last
    assert (graded / "submission_secret.txt").read_text() == "second"
    assert (graded / "timestamp.txt").read_text() == DAYS[4]
    assert WRONG["double"].splitlines()[-1] in (graded / "work.ipynb").read_text()
    assert "1 unchanged" in course.syncpoint("grade", "async")
    # With an extension the later one is better, and carries the penalty of the one day that is left.
    course.syncpoint("extend", "ada", "async", "--hours", "48")
    course.syncpoint("grade", "async")
    assert (course.scores()["ada"], penalty(course)) == (FULL, 1.5)
    assert tries(course) == [(3.0, False), (5.0, True)]
    course.hand_in("ada", DAYS[5], **WRONG)
    course.syncpoint("grade", "async")
    assert (course.scores()["ada"], penalty(course)) == (FULL, 1.5)
    assert tries(course) == [(3.0, False), (5.0, True), (0.0, False)]
    left = sorted((course.root / ".syncpoint/tries/ada").iterdir())
    assert len(left) == 3 and all(path.name.endswith(".async.tar.xz") for path in left)


def test_new_graders_judge_all_tries_again_if_the_best_counts(course: PlainCourse):
    course.configure('c.Tries.counts = "best"\n')
    course.hand_in("ada", DAYS[0], **HALF_RIGHT)
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[1], square=WRONG["square"])
    course.syncpoint("grade", "async")
    assert tries(course) == [(3.0, True), (2.0, False)]
    grader = course.grader("test_square")
    grader.write_text(grader.read_text().replace("== x * x", "== x"))
    course.syncpoint("grade", "async")
    assert tries(course) == [(0.0, False), (5.0, True)]
    assert course.scores()["ada"] == FULL


def test_a_person_chooses_where_the_course_says_so(course: PlainCourse):
    course.configure('c.Tries.counts = "chosen"\n')
    for day, work in enumerate([HALF_RIGHT, {}, WRONG]):
        course.hand_in("ada", DAYS[day], **work)
        course.syncpoint("grade", "async")
    assert tries(course) == [(3.0, False), (5.0, False), (0.0, True)]
    assert "choose one of them" in course.syncpoint("tries", "ada", "async", "--choose", "4", status=1)
    output = course.syncpoint("tries", "ada", "async", "--choose", "1")
    assert "syncpoint grade async --student ada" in output
    course.syncpoint("grade", "async", "--student", "ada")
    assert (course.scores()["ada"], tries(course)) == (HALF, [(3.0, True), (5.0, False), (0.0, False)])
    output = course.syncpoint("tries", "ada", "async")
    assert "* 1" in output and "-    return x\n" in output and "+    return 2 * x\n" in output
    course.syncpoint("tries", "ada", "async", "--choose", "0")
    course.syncpoint("grade", "async")
    assert course.scores()["ada"] == NONE


def test_somebody_elses_work_is_removed_and_never_the_best_again(course: PlainCourse):
    course.configure('c.Tries.counts = "best"\n')
    course.hand_in("ada", DAYS[0])
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[1], **HALF_RIGHT)
    course.syncpoint("grade", "async")
    assert (course.scores()["ada"], tries(course)) == (FULL, [(5.0, True), (3.0, False)])
    assert "remove one of them" in course.syncpoint("tries", "ada", "async", "--remove", "3", status=1)
    with closing(Claims(course.root / "autograded")) as claims:
        claims.take("ada/async")  # a run that knows this try would bring it back
        assert "is being graded now" in course.syncpoint("tries", "ada", "async", "--remove", "1", status=1)
    assert tries(course) == [(5.0, True), (3.0, False)]
    course.syncpoint("tries", "ada", "async", "--remove", "1")
    course.syncpoint("grade", "async", "--student", "ada")
    assert (course.scores()["ada"], tries(course)) == (HALF, [(3.0, True)])
    assert "removed try 1" in course.syncpoint("log", "async", "--student", "ada")
    course.syncpoint("grade", "async")
    assert tries(course) == [(3.0, True)]


def test_the_same_work_again_is_the_same_try_and_keeps_the_earlier_time(course: PlainCourse):
    course.configure(f'c.Tries.counts = "best"\n{LATE}')
    course.nbgrader("db", "assignment", "add", "async", "--duedate=2026-03-02 12:00 UTC")
    course.hand_in("ada")  # collected without a time: never late
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[2])
    course.syncpoint("grade", "async")
    assert (tries(course), penalty(course)) == ([(5.0, True)], 1.5)  # which does not help whose time is known
    course.hand_in("ada", DAYS[1])
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[3])
    course.syncpoint("grade", "async")
    assert (tries(course), penalty(course)) == ([(5.0, True)], None)


def test_students_read_their_own_tries_and_what_changed(course: PlainCourse):
    hostile = RIGHT["double"] + "  # <script>alert(1)</script>"
    for student in ("ada", "bob"):
        course.hand_in(student, DAYS[0], double=WRONG["double"])
    course.syncpoint("grade", "async")
    course.hand_in("ada", DAYS[1], double=hostile)
    course.syncpoint("grade", "async")
    course.syncpoint("feedback", "--all", "async")
    page = course.feedback("ada")
    text = course.feedback_text("ada")
    assert "<script" not in page
    assert "Your submissions" in text and "+    return 2 * x  # <script>alert(1)</script>" in text
    assert "-    return x" in text
    assert "Your submissions" not in course.feedback_text("bob")  # there is only one
    before = page
    course.hand_in("ada", DAYS[2], double=RIGHT["double"])
    course.syncpoint("grade", "async")
    course.syncpoint("feedback", "--all", "async")
    assert course.feedback("ada") != before


def test_the_dashboard_shows_how_points_grow_from_try_to_try(course: PlainCourse):
    url = f"sqlite:///{course.root}/gradebook.db"
    with Gradebook(url, "syncpoint") as gradebook:
        for student in ("ada", "bob", "cy"):
            gradebook.add_student(student)
        upgrade(gradebook.engine)
        for student, points in (("ada", 1.0), ("bob", 2.0), ("cy", 4.0), ("ada", 4.0), ("bob", 3.0)):
            parts = {"work/test_double": (points, 4.0, "")}
            save_tries(gradebook.db(), "async", [Try(student, str(points), None, "", {}, parts, True)])
        gradebook.db.commit()
    view = ClassView(Source(Course(course.root), create_engine(url), ""), UrlState(assignment="async"))
    view.update()
    rows = view._tries.frame.to_dict("records")
    assert [[row[name] for name in ("number", "students", "share", "full")] for row in rows] == [
        [1, 3, pytest.approx(7 / 12), 1],
        [2, 2, 0.875, 1],
    ]
    assert rows[1]["before"] == 0.375  # of ada and bob, who tried again


def test_the_status_of_new_work_shows_the_tries_before_it(course: PlainCourse, tmp_path: Path):
    with_exchange(course, tmp_path / "exchange")
    for time, work in ((EARLIER, HALF_RIGHT), (LATER, {})):
        hand_in(course, ME, time, course.solved(**work))
        course.syncpoint("watch", "--once")
    name = note_name(f"the secret of {ME}, {LATER}", "async")
    reports = json.loads((tmp_path / "exchange" / "syncpoint" / "feedback" / name).read_text())["reports"]
    assert "Your submissions" in reports[-1] and "+    return 2 * x" in reports[-1]
    assert tries(course, ME) == [(3.0, False), (5.0, True)]

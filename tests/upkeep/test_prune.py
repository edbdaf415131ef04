"""`syncpoint prune`: removes old or excess results, and keeps those that a mark needs."""

import os
import time
from pathlib import Path

import pytest
from generated_class import Size, generate
from sqlalchemy import create_engine, text
from typer.testing import CliRunner

from syncpoint.cli import app
from syncpoint.core.messages import words
from syncpoint.core.results import NotebookResult, Versions
from syncpoint.course.folder import Course
from syncpoint.judge.job import Result
from syncpoint.judge.result_store import Store
from syncpoint.upkeep.prune import DAY, MIB, prune

RESULT = Result((), NotebookResult(Versions("mxnet 1.9.1", "0123456789ab"), ()), (words("a warning"),))
USED, OLD, NEW = "aa" * 32, "bb" * 32, "cc" * 32


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """Three results: one of 100 days on which a mark stands, one of 50 days, one of today."""
    root = generate(tmp_path / "course", Size(2))
    store = Store(Course(root).results)
    for key, days in ((USED, 100), (OLD, 50), (NEW, 0)):
        store.put(key, RESULT)
        then = time.time() - days * DAY
        os.utime(store.path(key), (then, then))
    with create_engine(f"sqlite:///{root}/gradebook.db").begin() as connection:
        connection.execute(text("UPDATE syncpoint_notebooks SET result = :key WHERE id = 1"), {"key": USED})
    return Course(root)


def left(course: Course) -> list[str]:
    return sorted(one.key for one in Store(course.results))


def pruned(course: Course, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["prune", "--course", str(course.root), *options])
    return done.exit_code, done.output


def test_what_is_old_goes_and_what_a_mark_stands_on_stays(course: Course):
    status, printed = pruned(course, "--older-than", "30")
    assert (status, left(course)) == (0, [USED, NEW])
    assert "Removed 1 result (0.0 MiB); kept 2 results (0.0 MiB), 1 of them for marks" in printed


def test_what_a_killed_run_left_of_a_try_goes(course: Course):
    opened = course.root / ".syncpoint/tries/ada/.0123/async"
    opened.mkdir(parents=True)
    kept = course.root / ".syncpoint/tries/ada/0123.async.tar.xz"
    kept.touch()
    os.utime(opened.parent, (0, 0))
    pruned(course)
    assert list(opened.parents[1].iterdir()) == [kept]


def test_an_age_that_nothing_has_removes_nothing(course: Course):
    status, printed = pruned(course, "--older-than", "60")
    assert (status, printed.split(":")[0]) == (0, "Nothing was removed")
    assert "exceeds the size that you gave; kept 3 results (0.0 MiB), 1 of them for marks" in printed
    assert left(course) == [USED, OLD, NEW]


def test_the_oldest_goes_first_until_the_size_is_held(course: Course):
    one = next(iter(Store(course.results))).size
    prune(course, {USED}, mib=2.5 * one / MIB)
    assert left(course) == [USED, NEW]


def test_what_marks_stand_on_is_kept_above_the_size_and_this_is_said(course: Course):
    status, printed = pruned(course, "--size", "0")
    assert (status, left(course)) == (0, [USED])
    assert "That is more than --size" in printed


def test_without_a_bound_no_result_goes(course: Course):
    status, printed = pruned(course)
    assert status == 0 and "Nothing was removed" in printed
    assert left(course) == [USED, OLD, NEW]


def test_other_files_in_the_folder_of_the_store_stay(course: Course):
    strange = [course.results / "ab" / "note.txt", course.results / "abc" / "x.json.gz", course.results / "x.json.gz"]
    for path in strange:
        path.parent.mkdir(exist_ok=True)
        path.touch()
    prune(course, set(), days=0, mib=0)
    assert all(path.exists() for path in strange) and left(course) == []

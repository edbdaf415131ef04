"""Feedback is made where something in it has changed, by several processes."""

import os
import re
from pathlib import Path

import pytest
from classroom import SmallCourse
from small_class import syncpoint

from syncpoint.nbgrader_hooks.feedback_run import MIN_PARALLEL_SUBMISSIONS

pytestmark = pytest.mark.slow

STUDENTS = [f"student{n:02}" for n in range(MIN_PARALLEL_SUBMISSIONS + 1)]


@pytest.fixture(scope="module")
def marked(released: SmallCourse, tmp_path_factory: pytest.TempPathFactory) -> SmallCourse:
    course = released.copy(tmp_path_factory.mktemp("feedback") / "course")
    for student in STUDENTS:
        course.submit(student, course.solved())
    course.must_run("nbgrader", "autograde", "async")
    return course


@pytest.fixture
def course(marked: SmallCourse, tmp_path: Path) -> SmallCourse:
    return marked.copy(tmp_path / "course")


def page(course: SmallCourse, student: str) -> Path:
    return course.root / "feedback" / student / "async" / "work.html"


def pages(course: SmallCourse) -> dict[str, tuple[int, str]]:
    found = course.root.glob("feedback/*/async/work.html")
    return {path.parent.parent.name: (path.stat().st_mtime_ns, path.read_text()) for path in found}


@pytest.mark.exhaustive
def test_a_class_is_written_by_several_processes_as_by_one(course: SmallCourse, marked: SmallCourse, tmp_path: Path):
    alone = marked.copy(tmp_path / "alone")
    for student in STUDENTS:  # one at a time: the process of nbgrader itself
        alone.must_run("nbgrader", "generate_feedback", "async", f"--student={student}")
    status, *printed = syncpoint(course, "feedback", "--all", "async")
    assert status == 0, printed
    by_many, by_one = pages(course), pages(alone)
    assert set(STUDENTS) <= by_many.keys()
    assert {student: by_many[student][1] for student in STUDENTS} == {s: by_one[s][1] for s in STUDENTS}


def test_only_what_has_changed_is_written_again(course: SmallCourse):
    course.must_run("nbgrader", "generate_feedback", "async")
    before = pages(course)
    with course.gradebook() as gradebook:
        comment = gradebook.find_submission_notebook("work", "async", STUDENTS[0]).comments[0]
        comment.manual_comment = "Well done."
        gradebook.db.commit()
    page(course, STUDENTS[1]).unlink()
    os.truncate(page(course, STUDENTS[2]), 3000)  # a run was killed while it wrote
    done = course.must_run("nbgrader", "generate_feedback", "async")
    after = pages(course)
    assert {student for student in before if before[student][0] != after[student][0]} == set(STUDENTS[:3])
    assert "Well done." in after[STUDENTS[0]][1]
    assert all(after[student][1] == before[student][1] for student in STUDENTS[1:3])
    assert "Wrote feedback for 3 submissions" in done.stderr and "nothing in them has changed" in done.stderr


@pytest.mark.exhaustive
def test_a_page_that_cannot_be_made_stops_no_other(course: SmallCourse):
    broken = course.root / "autograded" / STUDENTS[4] / "async" / "work.ipynb"
    broken.chmod(0o644)
    broken.write_text("{}")
    status, *printed = syncpoint(course, "feedback", "--all", "async")
    assert status == 1 and STUDENTS[4] in "".join(map(str, printed))
    assert set(STUDENTS) - {STUDENTS[4]} <= pages(course).keys()
    assert not page(course, STUDENTS[4]).exists()


def test_a_student_or_everybody(course: SmallCourse):
    for words in (["async"], ["--all", STUDENTS[0], "async"]):
        status, *printed = syncpoint(course, "feedback", *words)
        assert status == 1 and re.search("name a student and an assignment, or --all", "".join(map(str, printed)))

"""What a run begins with before it has read anything."""

from types import SimpleNamespace
from typing import Any

import pytest
from classroom import SmallCourse

from syncpoint.core.limits import Limits
from syncpoint.course.folder import Course
from syncpoint.grading.ahead import get_ready
from syncpoint.judge.job import from_json
from syncpoint.sandbox.spec import SandboxSpec


@pytest.fixture
def handed_in(course: SmallCourse) -> Course:
    """Ada is graded, Bob is not."""
    for student in ("ada", "bob"):
        (course.root / "submitted" / student / "async").mkdir(parents=True)
    (course.root / "autograded" / "ada" / "async").mkdir(parents=True)
    return Course(course.root)


def prepared(course: Course, *students: str, assignment: str = "async", force: bool = False) -> list[SandboxSpec]:
    """The sandboxes that a judging process is told to have ready; it is started in any case."""
    told: list[bytes] = []
    began: list[bool] = []
    process: Any = SimpleNamespace(start=lambda: began.append(True), prepare=told.append)
    get_ready(process, course, assignment, students, force)
    assert began == [True]
    return [from_json(SandboxSpec, one) for one in told]


@pytest.mark.engine
def test_who_was_never_graded_finds_the_sandbox_of_their_job(handed_in: Course):
    (sandbox,) = prepared(handed_in)
    assert sandbox == handed_in.spec("async").sandbox_spec(handed_in.root).empty
    assert sandbox.limits == Limits(cell_seconds=8, notebook_seconds=90, memory_mib=1024, processes=60)


@pytest.mark.engine
@pytest.mark.parametrize(("students", "force", "count"), [("a*", False, 0), ("a*", True, 1), ("b*", False, 1)])
def test_who_is_graded_already_needs_none_without_force(handed_in: Course, students: str, force: bool, count: int):
    assert len(prepared(handed_in, students, force=force)) == count


@pytest.mark.engine
def test_what_the_run_will_refuse_is_left_to_it(handed_in: Course):
    assert prepared(handed_in, assignment="asnyc", force=True) == []
    (handed_in.root / "grader_tests" / "async" / "assignment.toml").write_text("engine = 3")
    assert prepared(handed_in, force=True) == []

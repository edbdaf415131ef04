"""Fixtures of the dashboard's tests."""

from pathlib import Path

import pytest
from classroom import SmallCourse
from written_answers import with_rubric, write_answer

from syncpoint.course.folder import Course

RUBRIC = '[[criteria]]\ntext = "names the wait"\npoints = 2\n'


@pytest.fixture
def course_with_answer(released: SmallCourse, tmp_path: Path) -> Course:
    """ada has answered, and the rubric has the points of the cell."""
    small = released.copy(tmp_path / "course")
    course = with_rubric(small, RUBRIC)
    with small.gradebook() as gradebook:
        write_answer(course, gradebook, "ada", "Since it waits.")
    return course

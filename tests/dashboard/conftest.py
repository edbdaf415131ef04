"""Fixtures of the dashboard's tests."""

from pathlib import Path

import pytest
from classroom import SmallCourse

from syncpoint.course.folder import Course

RUBRIC = '[[criteria]]\ntext = "names the wait"\npoints = 2\n'


@pytest.fixture
def course_with_answer(released: SmallCourse, tmp_path: Path) -> Course:
    """ada has answered, and the rubric has the points of the cell."""
    small = released.copy(tmp_path / "course")
    folder = small.root / "grader_tests" / "async" / "rubrics"
    folder.mkdir()
    (folder / "why.toml").write_text(RUBRIC)
    with small.gradebook() as gradebook:
        gradebook.update_or_create_student("ada")
        gradebook.update_or_create_submission("async", "ada")
    autograded = small.root / "autograded" / "ada" / "async"
    autograded.mkdir(parents=True)
    release = (small.root / "release" / "async" / "work.ipynb").read_text()
    (autograded / "work.ipynb").write_text(release.replace("YOUR ANSWER HERE", "Since it waits."))
    return Course(small.root)

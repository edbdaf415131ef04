"""A class with assignments of two engines, one of them in a process of its own: one command grades all."""

import json
import subprocess
from collections import Counter
from pathlib import Path

import nbformat
import pytest
from classroom import BIN, ROOT, environment
from nbgrader.api import Gradebook

from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import quiet_nbgrader

pytestmark = pytest.mark.exhaustive
STUDENTS = 30  # of each assignment
ASSIGNMENTS = {"auto_parallel": "run_both", "torch_streams": "run_both"}  # and a cell that students write


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """The solutions of the source, each with another comment, so that no two are judged at once."""
    course = Course(ROOT).copy_to(tmp_path / "course")
    for assignment, own in ASSIGNMENTS.items():
        quiet_nbgrader(course.root, "generate_assignment", assignment)
        for name in sorted(path.stem for path in course.source(assignment).folder.glob("*.ipynb")):
            reference = course.source(assignment).notebook(name)
            (cell,) = [cell for cell in reference.cells if cell.metadata.get("nbgrader", {}).get("grade_id") == own]
            solution = cell.source
            for number in range(STUDENTS):
                folder = course.root / "submitted" / f"{assignment[0]}{number:02}" / assignment
                folder.mkdir(parents=True)
                cell.source = f"{solution}\n# Mine, number {number}."
                nbformat.write(reference, folder / f"{name}.ipynb")
    return course


def grade(course: Course, killed_after: int | None = None) -> Counter[str]:
    """Run the command, or the beginning of it; how many ended in which way."""
    outcomes: Counter[str] = Counter()
    command = [str(BIN / "syncpoint"), "grade", *ASSIGNMENTS, "--workers", "2", "--json", "-"]
    with subprocess.Popen(command, cwd=course.root, env=environment(), stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            event = json.loads(line)
            outcomes[event.get("outcome", "")] += event["event"] == "ended"
            if killed_after is not None and outcomes.total() == killed_after:
                process.kill()
                break
    assert killed_after is not None or process.returncode == 0
    return +outcomes


def test_a_class_of_two_engines_is_graded_in_one_run_that_was_killed_twice(course: Course):
    done = STUDENTS // 2, STUDENTS  # in the midst of the first assignment, and of the second
    first = grade(course, done[0])
    second = grade(course, done[0] + done[1])
    third = grade(course)
    assert first == {"graded": done[0]}
    assert second["unchanged"] >= done[0] - 1  # what the kill came upon is written once more
    assert third["unchanged"] >= done[0] + done[1] - 2
    assert third.keys() <= {"graded", "from the store", "unchanged"}
    assert third.total() == len(ASSIGNMENTS) * STUDENTS
    assert grade(course) == {"unchanged": len(ASSIGNMENTS) * STUDENTS}
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        for assignment in ASSIGNMENTS:
            submissions = gradebook.assignment_submissions(assignment)
            grades = [
                grade for submission in submissions for notebook in submission.notebooks for grade in notebook.grades
            ]
            lost = [grade.name for grade in grades if not grade.needs_manual_grade and grade.score != grade.max_score]
            assert (len(submissions), lost) == (STUDENTS, [])

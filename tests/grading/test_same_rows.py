"""`nbgrader autograde`, which converts by nbgrader's own steps, and `syncpoint grade` write the same."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from bad_class import GradedClass
from classroom import ROOT, SmallCourse
from graded_class import environment
from nbgrader.api import Gradebook
from postgresql import MISSING, running
from same_rows import differences

from syncpoint.course.folder import Course
from syncpoint.course.nbgrader_command import quiet_nbgrader
from syncpoint.demo.sample_class import read_class, write_class

pytestmark = [pytest.mark.engine, pytest.mark.sandbox, pytest.mark.slow]

NOT_KEPT = ("forge_eq",)  # a test of the course's went wrong: it is judged again
LATE = "2026-03-02 13:00:00 UTC"
# What formgrader's button does: it means no new run of what is known.
BUTTON = """
import sys
from nbgrader.apps import NbGrader
from nbgrader.apps.api import NbGraderAPI
app = NbGrader()
app.load_config_file()
api = NbGraderAPI(config=app.config)
for student in sys.argv[1:]:
    done = api.autograde("async", student)
    assert done["success"], done
"""


def twin(course: SmallCourse, released: SmallCourse, folder: Path) -> SmallCourse:
    """The same class, not graded, with what the judge found."""
    other = released.copy(folder)
    shutil.copytree(course.root / "submitted", folder / "submitted", symlinks=True)
    link = folder / "submitted" / "links_to_a_neighbour" / "async" / "work.ipynb"
    if link.is_symlink():
        link.unlink()
        link.symlink_to(folder / "submitted" / "aaron_is_right" / "async" / "work.ipynb")
    shutil.copytree(course.root / ".syncpoint" / "results", folder / ".syncpoint" / "results")
    return other


def change(course: SmallCourse) -> list[str]:
    """What happens between two gradings: marks by hand, late work, another answer, a file that is none; to whom."""
    marked = {"waits": (1.5, 0.25), "warns": (0.0, None), "zoe_is_right": (None, 0.5), "exits": (2.0, None)}
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "syncpoint") as gradebook:
        for student, (points, extra) in marked.items():
            for cell in ("why", "test_double"):
                grade = gradebook.find_grade(cell, "work", "async", student)
                grade.manual_score, grade.extra_credit, grade.needs_manual_grade = points, extra, False
            gradebook.find_comment("why", "work", "async", student).manual_comment = "Well done."
        gradebook.update_or_create_assignment("async", duedate="2026-03-01 12:00:00 UTC")
        gradebook.db.commit()
    for student in ("waits", "aaron_is_right"):
        (course.folder(student) / "timestamp.txt").write_text(LATE)
    (course.folder("exception") / "timestamp.txt").write_text("yesterday")
    course.submit("warns", course.solved(why="It does not wait."))
    course.submit("exits", "no notebook")
    for number in range(250):
        (course.folder("floods") / f"f{number}").write_text("x")
    course.submit("newcomer", course.solved())
    return [*marked, "aaron_is_right", "exception", "floods", "newcomer"]


def test_a_class_in_which_everything_goes_wrong_and_what_happens_to_it_then(
    graded: GradedClass, released: SmallCourse, tmp_path: Path
):
    by_nbgrader = twin(graded.course, released, tmp_path / "by_nbgrader")
    straight = twin(graded.course, released, tmp_path / "straight")
    for course in (by_nbgrader, straight):
        course.configure('c.AssignLatePenalties.plugin_class = "syncpoint.nbgrader_hooks.late.SharePerPeriod"\n')
    assert by_nbgrader.nbgrader("autograde", "async").returncode == 0
    done = straight.run("syncpoint", "grade", "async", "--workers", "1")
    assert "1 provisional" in done.stderr, done.stderr
    assert differences(by_nbgrader.root, straight.root, NOT_KEPT) == []

    whose = change(by_nbgrader)
    assert change(straight) == whose
    subprocess.run([sys.executable, "-c", BUTTON, *whose], cwd=by_nbgrader.root, env=environment(), check=True)
    shutil.copytree(
        by_nbgrader.root / ".syncpoint" / "results", straight.root / ".syncpoint" / "results", dirs_exist_ok=True
    )
    done = straight.run("syncpoint", "grade", "async", "--workers", "1")
    assert "1 provisional" in done.stderr, done.stderr
    assert differences(by_nbgrader.root, straight.root, NOT_KEPT) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("assignment", ["async", "torch_async"])
def test_a_class_of_the_demo(assignment: str, tmp_path: Path):
    by_nbgrader = Course(ROOT).copy_to(tmp_path / "by_nbgrader")
    quiet_nbgrader(by_nbgrader.root, "generate_assignment", assignment)
    write_class(by_nbgrader, read_class(by_nbgrader, assignment).telling)
    shutil.copytree(by_nbgrader.root, tmp_path / "straight", symlinks=True)
    done = SmallCourse(by_nbgrader.root).nbgrader("autograde", assignment)
    assert done.returncode == 0, done.stderr
    shutil.copytree(by_nbgrader.root / ".syncpoint" / "results", tmp_path / "straight" / ".syncpoint" / "results")
    done = SmallCourse(tmp_path / "straight").run("syncpoint", "grade", assignment)
    assert done.returncode == 0, done.stderr
    assert differences(by_nbgrader.root, tmp_path / "straight") == []


@pytest.mark.exhaustive
@pytest.mark.skipif(bool(MISSING), reason="PostgreSQL's server is not installed")
def test_on_postgresql_the_rows_are_the_same(course: SmallCourse, tmp_path: Path):
    course.submit("ada", course.solved())
    course.submit("bob", "no notebook")
    (course.folder("bob") / "timestamp.txt").write_text(LATE)
    with running() as server:
        other, url = course.copy(tmp_path / "other"), server.create("other")
        assert other.run("syncpoint", "move-gradebook", url).returncode == 0
        for _ in range(2):  # rows are new, and then changed
            for each in (course, other):
                done = each.run("syncpoint", "grade", "async", "--workers", "1")
                assert done.returncode == 0, done.stderr
                results = Path(".syncpoint", "results")
                shutil.copytree(course.root / results, other.root / results, dirs_exist_ok=True)
                shutil.rmtree(each.root / ".syncpoint" / "submissions")
        found = differences(course.root, other.root, of_b=url)
    assert [line for line in found if not line.startswith("syncpoint_owner")] == []

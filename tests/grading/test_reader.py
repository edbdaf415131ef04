"""The one reader of submissions: what of a folder is judged, and that nbgrader's copy is held against it."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from classroom import SmallCourse
from graded_class import grade, running
from nbgrader.coursedir import CourseDirectory

from syncpoint.core.limits import MIB
from syncpoint.core.settings import Settings
from syncpoint.course.attachments import notes_on, rejected_files
from syncpoint.course.folder import Course
from syncpoint.grading.notebook_reader import NotebookReader
from syncpoint.judge.job import NotebookJob, key

MEDDLER = """
from nbgrader.preprocessors import NbGraderPreprocessor
class Meddler(NbGraderPreprocessor):
    def preprocess_cell(self, cell, resources, index):
        cell.source = cell.source.replace("x * 2", "x * 3")
        return cell, resources
c.Autograde.sanitize_preprocessors = [
    "nbgrader.preprocessors.ClearOutput", "nbgrader.preprocessors.OverwriteCells", Meddler,
    "nbgrader.preprocessors.CheckCellMetadata",
]
"""


def reader(course: SmallCourse, theirs: Mapping[str, Sequence[str]]) -> NotebookReader:
    """A reader of this course's, as a run has it."""
    coursedir = CourseDirectory(root=str(course.root))
    return NotebookReader(Course(course.root), coursedir, Settings("mxnet"), theirs)


def job(course: SmallCourse, student: str, theirs: Sequence[str] = (), rejected: Sequence[Path] = ()) -> NotebookJob:
    """Return the part of this student's work that is judged."""
    within, folder = reader(course, {"async": theirs}), course.folder(student)
    beside, notes = within.other_files(folder, rejected), notes_on(folder, rejected)
    return within.read(folder / "work.ipynb", beside, notes).job


def test_student_time_answers_and_outputs_do_not_change_the_key(course: SmallCourse):
    spec = Course(course.root).spec("async")
    course.submit("ada", course.solved())
    notebook = course.solved(why="Because.")
    notebook["cells"][0]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "4"}]
    course.submit("bob", notebook)
    (course.folder("bob") / "timestamp.txt").write_text("2026-01-02 03:04:05 UTC")
    (course.folder("bob") / "copy of work.ipynb").write_text("{}")
    assert key(spec, job(course, "ada")) == key(spec, job(course, "bob"))


def test_the_instructors_files_are_laid_over_the_students(course: SmallCourse):
    (course.root / "source" / "async" / "tools").mkdir()
    for name in ("data.txt", "tools/ours.py"):
        (course.root / "source" / "async" / name).write_text("ours")
    course.submit("ada", course.solved())
    (course.folder("ada") / "tools").mkdir()
    for name in ("data.txt", "mine.txt", "tools/ours.py", "tools/more.py"):
        (course.folder("ada") / name).write_text("mine")
    assert job(course, "ada").files == (("mine.txt", b"mine"), ("tools/more.py", b"mine"))
    assert ("data.txt", b"mine") in job(course, "ada", theirs=["data.txt"]).files


def test_a_folder_is_listed_once_whatever_is_in_it(course: SmallCourse, monkeypatch: pytest.MonkeyPatch):
    course.submit("ada", course.solved())
    within, folder = reader(course, {}), course.folder("ada")
    for number in range(20):
        (folder / f"{number}.ipynb").write_text("{}")
        (folder / str(number)).mkdir()
        (folder / str(number) / "timestamp.txt").write_text("no time")
    (folder / "mine.txt").write_text("mine")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "mine.txt").write_text("older")
    rejected = rejected_files(folder, MIB)
    listed, scandir = list[str](), os.scandir

    def noted(path: str) -> Any:
        listed.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    assert (len(rejected), within.other_files(folder, rejected)) == (20, {"mine.txt": folder / "mine.txt"})
    assert len(listed) == len(set(listed))


def test_what_was_left_of_a_folder_is_in_no_job_and_is_said(course: SmallCourse, tmp_path: Path):
    course.submit("ada", course.solved())
    (tmp_path / "secret").write_text("of the operator")
    (course.folder("ada") / "linked.txt").symlink_to(tmp_path / "secret")
    made = job(course, "ada", rejected=rejected_files(course.folder("ada"), MIB))
    assert (made.files, ["linked.txt" in str(note) for note in made.notes]) == ((), [True])


@pytest.mark.exhaustive
def test_a_step_that_changes_code_after_it_was_read_grades_nobody(course: SmallCourse):
    course.submit("ada", course.solved())
    grade(course)
    graded = (course.root / "autograded" / "ada" / "async" / "work.ipynb").read_bytes()
    course.configure(MEDDLER)
    with running(course, "--force") as run:
        reasons = [event["reason"] for event in run.end() if event["event"] == "ended"]
    output = course.nbgrader("autograde", "async", "--force").stderr
    for text in (*reasons, output):
        assert "work.ipynb differs in nbgrader's copy" in text
        assert "sanitize_preprocessors" in text and "Traceback" not in text
    assert (course.root / "autograded" / "ada" / "async" / "work.ipynb").read_bytes() == graded

"""The badge on released notebooks that opens them in Google Colab."""

import shutil
from pathlib import Path

import nbformat
import pytest
import toy_gpu
from classroom import ROOT, SmallCourse
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.intake import METADATA
from syncpoint.releases.colab import add_badge

SETTING = 'c.Colab.repository = "school/course"\n'
IMAGE = "https://colab.research.google.com/assets/colab-badge.svg"
LINK = "https://colab.research.google.com/github/school/course/blob/main/release/gpu/{}gpu.ipynb"
BADGE = f"[![Open in Colab]({IMAGE})]({LINK})\n\n"


def texts(root: Path, settings: str, language: str = "") -> list[str]:
    """The cells of a notebook with two texts after the badge was added in a course with these settings."""
    shutil.copy(ROOT / "nbgrader_config.py", root)
    toy_gpu.add_assignment(root)
    SmallCourse(root).configure(settings)
    notebook = new_notebook(cells=[new_code_cell("1"), new_markdown_cell("# Title"), new_markdown_cell("Text")])
    if language:
        notebook.metadata[METADATA] = language
    add_badge(Course(root), "gpu", "gpu", notebook)
    return [cell.source for cell in notebook.cells]


def test_the_first_text_begins_with_the_badge(tmp_path: Path):
    assert texts(tmp_path, SETTING) == ["1", f"{BADGE.format('')}# Title", "Text"]


def test_the_badge_of_a_translation_opens_the_translation(tmp_path: Path):
    assert texts(tmp_path, SETTING, "pt_BR")[1] == f"{BADGE.format('languages/pt_BR/')}# Title"


def test_the_badge_of_the_courses_language_opens_the_release(tmp_path: Path):
    settings = f'{SETTING}c.GradeSubmission.language = "pt_BR"\n'
    assert texts(tmp_path, settings, "pt_BR")[1] == f"{BADGE.format('')}# Title"


@pytest.mark.parametrize(
    ("settings", "toml"),
    [("", ""), (SETTING, 'engine = "mxnet"\n'), (SETTING, 'engine = "torch"\n[variants]\nk = [3, 4]\n')],
    ids=["without the setting", "for MXNet", "with values that differ"],
)
def test_there_is_no_badge(settings: str, toml: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    add = toy_gpu.add_assignment

    def with_toml(root: Path) -> None:
        add(root)
        if toml:
            (root / "grader_tests" / "gpu" / "assignment.toml").write_text(toml)

    monkeypatch.setattr(toy_gpu, "add_assignment", with_toml)
    assert texts(tmp_path, settings) == ["1", "# Title", "Text"]


@pytest.mark.parametrize("value", ['"course"', '"https://github.com/school/course"', '"a/b/c"', '"school/a b"', "3"])
def test_another_value_is_refused_by_a_sentence(value: str, tmp_path: Path):
    with pytest.raises(CourseError, match=r"c\.Colab.* in nbgrader_config\.py"):
        texts(tmp_path, f"c.Colab.repository = {value}\n")


@pytest.mark.slow
def test_a_notebook_with_the_badge_is_graded(tmp_path: Path):
    course = SmallCourse(tmp_path)
    shutil.copy(ROOT / "nbgrader_config.py", tmp_path)
    toy_gpu.add_assignment(tmp_path)
    source = tmp_path / "source" / "gpu" / "gpu.ipynb"
    notebook = nbformat.read(source, as_version=4)
    notebook.cells.insert(0, new_markdown_cell("# Title"))
    nbformat.write(notebook, source)
    course.must_run("nbgrader", "generate_assignment", "gpu")
    toy_gpu.hand_in(tmp_path, "ada", {})
    course.configure(SETTING)
    course.must_run("nbgrader", "generate_assignment", "gpu", "--force")
    release = tmp_path / "release" / "gpu"
    assert nbformat.read(release / "gpu.ipynb", 4).cells[0].source.startswith(BADGE.format(""))
    toy_gpu.hand_in(tmp_path, "bob", {})
    course.must_run("syncpoint", "grade", "gpu")
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db", "syncpoint") as gradebook:
        scores = {one.student.id: one.score for one in gradebook.assignment_submissions("gpu")}
        assert scores == dict.fromkeys(("ada", "bob"), gradebook.find_assignment("gpu").max_score)


@pytest.mark.slow
def test_a_release_with_an_odd_value_is_not_made(tmp_path: Path):
    course = SmallCourse.make(tmp_path, 'c.Colab.repository = "course"\n')
    refused = course.nbgrader("generate_assignment", "async")
    assert refused.returncode
    assert """c.Colab.repository in nbgrader_config.py is 'course': write it as "owner/name".""" in refused.stderr
    assert "Traceback" not in refused.stderr and not (tmp_path / "release" / "async").exists()

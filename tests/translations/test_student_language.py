"""A student's language: in the roster, in the submitted notebook, and in the feedback."""

import os
import subprocess
from pathlib import Path
from typing import Literal

import nbformat
import pytest
from accessibility import violations
from classroom import BIN, ROOT, environment
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook
from playwright.sync_api import Browser

from syncpoint.course.errors import CourseError
from syncpoint.course.folder import Course
from syncpoint.course.intake import MOST_BESIDE, Template, read_notebook
from syncpoint.course.released_notebooks import LANGUAGES
from syncpoint.demo.sample_submission import reference_solutions
from syncpoint.grading.notebook_reader import ReadNotebook
from syncpoint.records.gradebook import gradebook_at
from syncpoint.records.roster import enrol
from syncpoint.records.roster_file import read_roster
from syncpoint.records.student_details import languages


def people(tmp_path: Path, text: str):
    path = tmp_path / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path)


def test_the_roster_gives_students_their_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", str(BIN), prepend=os.pathsep)  # nbgrader calls alembic as a program
    with gradebook_at(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        enrol(gradebook, people(tmp_path, "id,language\nada,pt-BR\nbob,\nli,zh_CN\n"))
        assert languages(gradebook.db()) == {"ada": "pt_BR", "li": "zh_CN"}
        done = enrol(gradebook, people(tmp_path, "id,language\nada,zh_CN\nli,zh_CN\n"))
        assert done.changed == {"ada": ("language",)}
        assert languages(gradebook.db()) == {"ada": "zh_CN", "li": "zh_CN"}


@pytest.mark.parametrize("language", ["Portuguese", "../pt", "pt_br"])
def test_an_unknown_language_is_refused(tmp_path: Path, language: str):
    with pytest.raises(CourseError, match="write it like pt_BR"):
        people(tmp_path, f"id,language\nada,{language}\n")


def template(language: str, comment: str) -> Template:
    locked = {"grade_id": "imports", "locked": True, "solution": False, "grade": False}
    stub = {"grade_id": "f", "locked": False, "solution": True, "grade": False, "checksum": comment}
    cells = (
        new_code_cell(f"x = 1  # {comment}", metadata={"nbgrader": locked}),
        new_code_cell("", metadata={"nbgrader": stub}),
    )
    return Template("work", cells, {"syncpoint_language": language} if language else {}, language)


TEMPLATES = {"pt_BR": template("pt_BR", "um"), "zh_CN": template("zh_CN", "一")}


def submission(tmp_path: Path, language: object) -> Path:
    path = tmp_path / "work.ipynb"
    book = new_notebook(cells=[NotebookNode(cell) for cell in template("", "changed").cells])
    book.metadata["syncpoint_language"] = language
    nbformat.write(book, path)
    return path


@pytest.mark.parametrize(
    ("language", "comment"), [("pt_BR", "um"), ("zh_CN", "一"), ("xx", "one"), ("../..", "one"), (["pt_BR"], "one")]
)
def test_locked_cells_come_back_in_the_language_of_the_notebook(tmp_path: Path, language: object, comment: str):
    read = read_notebook(submission(tmp_path, language), template("", "one"), TEMPLATES)
    assert read.notebook.cells[0].source == f"x = 1  # {comment}"


@pytest.mark.parametrize(
    ("beside", "reads", "comment"),
    [("pt_BR", "", "um"), ("pt_BR", "zh_CN", "um"), ("", "zh_CN", "一"), ("", "", "one")],
)
@pytest.mark.parametrize("content", [None, "no notebook"])
def test_a_notebook_that_cannot_be_read_is_in_the_language_of_the_others(
    tmp_path: Path, content: str | None, beside: str, reads: str, comment: str
):
    submission(tmp_path, beside).rename(tmp_path / "more.ipynb")
    if content is not None:
        (tmp_path / "work.ipynb").write_text(content)
    read = read_notebook(tmp_path / "work.ipynb", template("", "one"), TEMPLATES, reads)
    assert read.refused and read.notebook.cells[0].source == f"x = 1  # {comment}"


def test_a_crowd_of_notebooks_next_to_it_is_not_read(tmp_path: Path):
    submission(tmp_path, "pt_BR").rename(tmp_path / "z.ipynb")
    for number in range(MOST_BESIDE):
        (tmp_path / f"a{number}.ipynb").write_text("no notebook")
    read = read_notebook(tmp_path / "a0.ipynb", template("", "one"), TEMPLATES)
    assert read.refused and read.template.language == ""


def test_what_nbgrader_brought_back_in_english_is_put_back(tmp_path: Path):
    read = read_notebook(submission(tmp_path, "pt_BR"), template("", "one"), TEMPLATES)
    copy = new_notebook(cells=[NotebookNode(cell) for cell in template("", "one").cells])
    ReadNotebook(read.notebook, None, None, None, read.template, "pt_BR").put_language_back(copy)  # type: ignore[arg-type]
    assert copy.cells[0].source == "x = 1  # um"
    assert copy.cells[1].metadata.nbgrader.checksum == "um"  # so an answer that nobody wrote is known


WRONG = {
    "queue_work": "def queue_work(x):\n    return nd.dot(x, x).sum().asnumpy()",
    "loops": "def synchronous_loop(x, steps):\n    for _ in range(steps):\n        y = x + 1\n    return y\n\n\n"
    "def asynchronous_loop(x, steps):\n    for _ in range(steps):\n        y = x + 1\n        y.wait_to_read()\n"
    "    return y",
}
PLACES = {"ada": f"{LANGUAGES}/pt_BR", "bob": "", "li": f"{LANGUAGES}/zh_CN"}  # of each student's notebooks
TEXTS = {
    "ada": ("pt-BR", "queue_work retornou um array do NumPy.", "benchmark: até aqui, tudo bem", "0 de 2 pontos"),
    "bob": ("zh-CN", "queue_work返回了NumPy数组。", "benchmark: looks good so far", "0分，满分2分：看看哪里失分"),
    "li": ("zh-CN", "queue_work返回了NumPy数组。", "benchmark：目前看起来没问题", "0分，满分2分：看看哪里失分"),
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Course:
    """A class with one mistake: ada wrote it in Portuguese, li in Chinese, bob in English but reads Chinese."""
    course = Course(ROOT).copy_to(tmp_path_factory.mktemp("languages") / "course")
    run(course, "nbgrader", "generate_assignment", "async")
    hand_in(course, "async", {**reference_solutions(course, "async"), **WRONG})
    (course.root / "roster.csv").write_text("id,language\nada,\nbob,zh_CN\nli,\n")
    run(course, "syncpoint", "roster", "roster.csv")
    with (course.root / "nbgrader_config.py").open("a") as config:
        config.write(
            '\nc.GradeSubmission.misconceptions_url = "https://course.example/{language}/misconceptions.html"\n'
        )
    run(course, "nbgrader", "autograde", "async")
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        for student in TEXTS:
            comment = gradebook.find_comment("time_model", "async_computation", "async", student)
            comment.manual_comment = "A COMMENT"
        gradebook.db.commit()
    run(course, "nbgrader", "generate_feedback", "async")
    return course


def run(course: Course, *command: str) -> None:
    done = subprocess.run(command, cwd=course.root, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def hand_in(course: Course, assignment: str, solutions: dict[str, str]) -> None:
    """The same solutions in the notebooks of each language."""
    for student, place in PLACES.items():
        folder = course.root / "submitted" / student / assignment
        folder.mkdir(parents=True)
        for path in (course.root / "release" / assignment / place).glob("*.ipynb"):
            book = nbformat.read(path, as_version=4)
            for cell in book.cells:
                marks = cell.metadata.get("nbgrader", {})
                if marks.get("solution") and not marks.get("grade"):
                    cell.source = solutions[marks["grade_id"]]
            nbformat.write(book, folder / path.name)


def scores_of(course: Course, assignment: str) -> dict[str, dict[str, float]]:
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        return {
            submission.student_id: {grade.name: grade.score for book in submission.notebooks for grade in book.grades}
            for submission in gradebook.assignment_submissions(assignment)
        }


@pytest.mark.exhaustive
@pytest.mark.parametrize("student", TEXTS)
def test_feedback_and_outputs_are_in_the_students_language(graded: Course, student: str):
    page = (graded.root / "feedback" / student / "async" / "async_computation.html").read_text(encoding="utf-8")
    tag, *sentences = TEXTS[student]
    assert f'<html lang="{tag}">' in page
    assert [output for output in sentences if output not in page] == []


@pytest.mark.exhaustive
@pytest.mark.axe
@pytest.mark.parametrize("student", TEXTS)
@pytest.mark.parametrize(("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 390)])
def test_feedback_in_another_language_keeps_to_wcag_and_leads_to_its_pages(
    graded: Course, browser: Browser, student: str, scheme: Literal["light", "dark"], width: int
):
    with browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 800}) as context:
        page = context.new_page()
        page.goto((graded.root / "feedback" / student / "async" / "async_computation.html").as_uri())
        assert page.locator("svg[role=img][aria-label]").count() and page.get_by_text("A COMMENT").count()
        for box in page.locator("details").all():
            box.evaluate("element => element.open = true")
        assert violations(page) == []
        leads = {link.get_attribute("href") for link in page.locator("a[href*='course.example']").all()}
    language = TEXTS[student][0].replace("-", "_")
    start = f"https://course.example/{language}/misconceptions.html#"
    assert leads and [lead for lead in leads if not str(lead).startswith(start)] == []


@pytest.mark.exhaustive
def test_a_language_changes_no_points(graded: Course):
    scores = scores_of(graded, "async")
    assert scores["ada"] == scores["bob"] == scores["li"]
    assert scores["ada"]["test_queue_work"] == 0 and scores["ada"]["test_train_sync"] == 3


@pytest.mark.exhaustive
def test_nbgrader_passes_over_the_other_languages(graded: Course):
    with Gradebook(f"sqlite:///{graded.root}/gradebook.db") as gradebook:
        assert sorted(book.name for book in gradebook.find_assignment("async").notebooks) == [
            "async_computation",
            "memory",
        ]


@pytest.mark.exhaustive
@pytest.mark.parametrize("assignment", Course(ROOT).assignments())
def test_the_reference_has_all_points_in_each_language(assignment: str, tmp_path: Path):
    course = Course(ROOT).copy_to(tmp_path / "course")
    run(course, "nbgrader", "generate_assignment", assignment)
    hand_in(course, assignment, reference_solutions(course, assignment))
    run(course, "nbgrader", "autograde", assignment)
    scores, judged = scores_of(course, assignment), course.source(assignment).exercises()
    assert sorted(scores) == sorted(PLACES)
    assert scores["ada"] == scores["bob"] == scores["li"]
    with Gradebook(f"sqlite:///{course.root}/gradebook.db") as gradebook:
        most = {
            cell.name: cell.max_score
            for book in gradebook.find_assignment(assignment).notebooks
            for cell in book.grade_cells
        }
    assert {name: scores["bob"][name] for name in judged} == {name: most[name] for name in judged}

"""Points, total and expected time in the releases: those of the cells and of assignment.toml, in each language."""

import copy
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from classroom import ROOT, nbgrader_cell
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from syncpoint.course.assignment import read_assignment
from syncpoint.course.folder import Course
from syncpoint.course.intake import METADATA, read_notebook
from syncpoint.releases.points_and_time import add_points_and_time

COURSE = Course(ROOT)
HEADED = re.compile(r"^#+ .+\n\n\*\*(.+)\*\*$", re.MULTILINE)
TEXTS = {
    "en": (
        r"(\d+) points?",
        r"This assignment is worth (\d+) points\.",
        r"(\d+) of them are in this notebook\.",
        r"about ([\d.]+) hours",
    ),
    "pt_BR": (r"(\d+) pontos?", r"Esta atividade vale (\d+) pontos\.", r"(\d+) deles estão", r"de ([\d,]+) horas"),
    "zh_CN": (r"(\d+)分", r"这份作业共(\d+)分。", r"其中(\d+)分在这个笔记本里。", r"大约([\d.]+)小时"),
}
RELEASED = [(language, assignment) for assignment in COURSE.assignments() for language in TEXTS]


def _released(language: str, assignment: str) -> dict[str, NotebookNode]:
    folder = ROOT / "release" / assignment / ("" if language == "en" else f"languages/{language}")
    return {path.stem: nbformat.read(path, as_version=4) for path in sorted(folder.glob("*.ipynb"))}


def _worth(notebook: NotebookNode) -> Iterator[tuple[str, int]]:
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            yield cell.metadata.nbgrader.grade_id, cell.metadata.nbgrader.points


@pytest.mark.parametrize(("language", "assignment"), RELEASED)
def test_each_exercise_says_the_points_of_its_cells(language: str, assignment: str):
    for notebook in _released(language, assignment).values():
        output: list[str] = []
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                output += HEADED.findall(cell.source)
            for _, points in _worth(new_notebook(cells=[cell])):
                number = re.fullmatch(TEXTS[language][0], output.pop(0))
                assert number is not None and (int(number[1]), output) == (points, []), cell.metadata
        assert output == []


@pytest.mark.parametrize(("language", "assignment"), RELEASED)
def test_the_beginning_says_the_total_and_the_time(language: str, assignment: str):
    books = _released(language, assignment)
    assert sorted(books) == sorted(path.stem for path in COURSE.source(assignment).folder.glob("*.ipynb"))
    here = {name: sum(points for _, points in _worth(notebook)) for name, notebook in books.items()}
    for name, notebook in books.items():
        (text,) = [cell.source for cell in notebook.cells if cell.id == "how-to-work"]
        _, total, part, hours = (re.findall(pattern, text) for pattern in TEXTS[language])
        assert total == [str(sum(here.values()))]
        assert part == ([str(here[name])] if len(books) > 1 else [])
        assert [float(number.replace(",", ".")) * 60 for number in hours] == [
            COURSE.graders(assignment).settings().minutes
        ]


@pytest.mark.parametrize("assignment", COURSE.assignments())
def test_a_release_that_comes_back_needs_no_repair(assignment: str):
    for name in _released("en", assignment):
        template, others = COURSE.release(assignment).template(name), COURSE.release(assignment).translations(name)
        for path in (ROOT / "release" / assignment).rglob(f"{name}.ipynb"):
            taken = read_notebook(path, template, others)
            assert (taken.notes, taken.refused) == ([], None)


def text(source: str, **named: str) -> NotebookNode:
    return new_markdown_cell(source, **named)


def answer(name: str) -> NotebookNode:
    return nbgrader_cell(new_code_cell, f"def {name}(): ...", name, solution=True)


def graded(name: str, points: float) -> NotebookNode:
    return nbgrader_cell(new_code_cell, "# tests", f"test_{name}", grade=True, locked=True, points=points)


def written(name: str, points: float) -> NotebookNode:
    return nbgrader_cell(new_markdown_cell, "# Because", name, grade=True, solution=True, points=points)


@pytest.fixture
def course(tmp_path: Path) -> Course:
    for language in ("pt_BR", "zh_CN"):
        (tmp_path / "locale" / language).mkdir(parents=True)
        shutil.copy(ROOT / "locale" / language / "report.po", tmp_path / "locale" / language)
    (tmp_path / "source" / "own").mkdir(parents=True)
    (tmp_path / "grader_tests" / "own").mkdir(parents=True)
    return Course(tmp_path)


def task(source: str, points: float) -> NotebookNode:
    return nbgrader_cell(new_markdown_cell, source, "essay", task=True, locked=True, points=points)


def asks(cell: NotebookNode) -> bool:
    """Whether a cell says what is to be done."""
    own = cell.metadata.get("nbgrader")
    return not own or own.task or (cell.cell_type == "markdown" and "### BEGIN SOLUTION" in cell.source)


def reported(course: Course, *cells: NotebookNode, minutes: int = 0, language: str = "") -> list[str]:
    """The texts of a notebook when it has been told what it is worth."""
    notebook = new_notebook(cells=copy.deepcopy(list(cells)), metadata={METADATA: language} if language else {})
    nbformat.write(notebook, course.source("own").folder / "work.ipynb")
    (course.graders("own").folder / "assignment.toml").write_text(f"minutes = {minutes}\n" if minutes else "")
    add_points_and_time(course, "own", notebook)
    changed = [new for new, old in zip(notebook.cells, cells, strict=True) if asks(old)]
    assert [new for new in notebook.cells if new not in changed] == [old for old in cells if not asks(old)]
    return [cell.source for cell in changed]


@pytest.mark.parametrize(
    ("points", "language", "output"),
    [
        (1, "", "1 point"),
        (2, "", "2 points"),
        (2.5, "", "2.5 points"),
        (0, "", "No points: this exercise is for practice"),
        (1, "pt_BR", "1 ponto"),
        (2.5, "pt_BR", "2,5 pontos"),
        (1, "zh_CN", "1分"),
        (4, "zh_CN", "4分"),
    ],
)
def test_a_number_has_its_form(course: Course, points: float, language: str, output: str):
    cells = text("# Title"), text("## Exercise\nDo it."), answer("f"), graded("f", points)
    assert reported(course, *cells, language=language)[1] == f"## Exercise\n\n**{output}**\n\nDo it."


TITLE = text("# Title\n\nHow to work.")
AI = (
    " Do you use an AI assistant? Give it the file `AGENTS.md` of this folder: it asks assistants to explain, "
    "and not to solve the exercises."
)
ONE = f"# Title\n\nHow to work.\n\n**This assignment is worth 3 points.**{AI}"


def test_a_written_answer_and_its_heading(course: Course):
    assert reported(course, TITLE, text("Question\n---\n\nWhy?"), written("why", 3)) == [
        ONE,
        "Question\n---\n\n**3 points**\n\nWhy?",
    ]


def test_the_heading_that_names_the_exercise_goes_before_a_later_one(course: Course):
    cells = TITLE, text("## A section"), text("## Exercise: `f`"), text("### A hint\n\nThink."), answer("f")
    assert reported(course, *cells, graded("f", 3)) == [
        ONE,
        "## A section",
        "## Exercise: `f`\n\n**3 points**",
        "### A hint\n\nThink.",
    ]


def test_two_cells_of_one_exercise_count_together(course: Course):
    cells = TITLE, text("## Exercise"), answer("f"), graded("f", 2), graded("f_again", 1)
    assert reported(course, *cells) == [ONE, "## Exercise\n\n**3 points**"]


def test_an_exercise_without_a_grader_says_so(course: Course):
    cells = TITLE, text("## Play with `f`"), answer("f"), text("## Exercise"), answer("g"), graded("g", 3)
    assert reported(course, *cells, text("## Go on"), answer("h"), text("## End")) == [
        ONE,
        "## Play with `f`\n\n**No points: this exercise is for practice**",
        "## Exercise\n\n**3 points**",
        "## Go on\n\n**No points: this exercise is for practice**",
        "## End",
    ]


def test_helpers_and_parts_are_graded_with_their_exercise(course: Course):
    cells = [TITLE, text("## Exercise"), answer("helper"), text("Now `f`."), answer("f"), graded("f", 1)]
    cells += [text("## Exercise"), answer("a"), text("And `b`."), answer("b"), graded("a_and_b", 2)]
    assert reported(course, *cells) == [
        ONE,
        "## Exercise\n\n**1 point**",
        "Now `f`.",
        "## Exercise\n\n**2 points**",
        "And `b`.",
    ]


def test_a_task_has_its_own_points(course: Course):
    code = TITLE, text("## Exercise"), answer("f"), graded("f", 1)
    essay = task("## Essay\n\nWrite.\n\n### BEGIN MARK SCHEME\n\n## Full\n\n### END MARK SCHEME", 2)
    exercise, output = "## Exercise\n\n**1 point**", essay.source.replace("Write", "**2 points**\n\nWrite")
    assert reported(course, *code, essay) == [ONE, exercise, output]
    assert reported(course, *code, text("Last:"), essay) == [ONE, exercise, "Last:", output]
    assert reported(course, *code, task("Write.", 2)) == [ONE, exercise, "**2 points**\n\nWrite."]


def test_a_written_answer_below_a_text_of_its_own_has_its_own_points(course: Course):
    code = TITLE, text("## Exercise"), answer("f"), graded("f", 1)
    why = written("why", 2)
    assert reported(course, *code, why) == [ONE, "## Exercise\n\n**3 points**"]
    why.source = "### Why?\n\n### BEGIN SOLUTION\nBecause.\n### END SOLUTION"
    assert reported(course, *code, why)[1:] == [
        "## Exercise\n\n**1 point**",
        why.source.replace("Why?", "Why?\n\n**2 points**"),
    ]


def test_tests_that_stand_together_are_each_for_the_answer_that_they_name(course: Course):
    cells = TITLE, text("## One"), answer("a"), text("## Two"), answer("b"), graded("b", 2), graded("a", 1)
    assert reported(course, *cells) == [ONE, "## One\n\n**1 point**", "## Two\n\n**2 points**"]
    cells = TITLE, text("## One: `f`"), answer("cell-1"), text("## Two: `g`"), answer("cell-2"), *cells[-2:]
    for cell, name in zip(cells[-2:], ("g", "f"), strict=True):
        cell.metadata.nbgrader.grade_id = f"test_{name}"
    assert reported(course, *cells) == [ONE, "## One: `f`\n\n**1 point**", "## Two: `g`\n\n**2 points**"]


@pytest.mark.parametrize("tests", [1, 2])
def test_where_names_do_not_say_which_exercise_is_graded_the_total_alone_is_said(course: Course, tests: int):
    cells = [TITLE, text("## Play"), answer("play"), text("## Exercise"), answer("g")]
    cells += [graded(f"cell-{number}", 3 / tests) for number in range(tests)]
    more = text("## Another"), answer("h"), graded("cell-h", 0)
    assert reported(course, *cells, *more) == [
        ONE,
        "## Play",
        "## Exercise",
        "## Another\n\n**No points: this exercise is for practice**",
    ]


def test_the_title_is_no_exercises(course: Course):
    cells = TITLE, text("Write f.\n\n```python\n# no heading\n```"), answer("f"), graded("f", 3)
    assert reported(course, *cells)[0] == ONE
    assert reported(course, *cells)[1].startswith("**3 points**\n\nWrite f.")


def test_without_a_text_nothing_is_said_and_no_cell_is_added(course: Course):
    assert reported(course, answer("f"), graded("f", 3), minutes=60) == []


def test_without_points_there_is_no_total(course: Course):
    assert reported(course, TITLE, minutes=60) == [
        "# Title\n\nHow to work.\n\n**Plan about 1 hour for the whole assignment, including reading. This is an "
        f"estimate.**{AI}"
    ]
    assert reported(course, TITLE) == [TITLE.source]


@pytest.mark.parametrize(
    ("minutes", "language", "time"),
    [
        (45, "", "about 45 minutes"),
        (90, "", "about 1.5 hours"),
        (100, "", "about 100 minutes"),
        (60, "pt_BR", "de 1 hora "),
        (240, "pt_BR", "de 4 horas"),
        (240, "zh_CN", "分。** 整份作业预计需要大约4小时"),
    ],
)
def test_the_time_is_said_as_people_say_it(course: Course, minutes: int, language: str, time: str):
    cells = TITLE, text("How to.", id="how-to-work"), text("## Exercise"), answer("f"), graded("f", 3)
    title, how, _ = reported(course, *cells, minutes=minutes, language=language)
    assert time in how and title == TITLE.source


def test_the_total_stands_before_the_second_heading(course: Course):
    cells = text("# Title\n\nHello.\n\n## Exercise\n\nDo it."), answer("f"), graded("f", 3)
    assert reported(course, *cells) == [
        "# Title\n\nHello.\n\n**This assignment is worth 3 points.**" + AI + "\n\n## Exercise\n\n**3 points**\n\nDo it."
    ]


@pytest.mark.parametrize("output", ['"4 hours"', "0", "-5", "1.5", "true"])
def test_minutes_are_a_whole_number(tmp_path: Path, output: str):
    (tmp_path / "assignment.toml").write_text(f"minutes = {output}\n")
    with pytest.raises(ValueError, match="minutes must be a whole number above 0"):
        read_assignment(tmp_path / "assignment.toml")

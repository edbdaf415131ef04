"""Converts notebooks of nbgrader and Otter to assignments: cells, graders and bank, as a draft for the author.

Their tests run in the student's process, and ours outside.  A call of a solution's function becomes `student.call`.
A test that needs more of the process is quoted in a test that fails until its author has written it.
"""

import ast
import builtins
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from textwrap import indent
from typing import Any

import yaml
from nbformat import NotebookNode

from . import scaffold_texts as texts
from .cells import grade_id
from .errors import CourseError
from .folder import Course
from .scaffold import NAME, Scaffold, course_cell, new_assignment, notebook_text, read_notebook

OF_OTTER = re.compile(
    r"\s*#\s*(?:BEGIN\s+(?P<part>QUESTION|SOLUTION|PROMPT|TESTS?)|END\s+(?P<end>\w+)|ASSIGNMENT\s+CONFIG)"
)
CONFIG = re.compile(
    r'^(?:\w\s*=\s*)?"{2,3}\s*#\s*BEGIN\s*TEST\s*CONFIG[^\n]*\n(.*?)"{2,3};?\s*#\s*END\s*TEST\s*CONFIG[^\n]*\n?',
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
SAYS_HIDDEN = re.compile(r"#.*hidden|TEST\s*CONFIG", re.IGNORECASE)  # or has a configuration in another form
PROMPT = re.compile(r'^[ \t]*""" # BEGIN PROMPT\n.*?""";? # END PROMPT\n?', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"#+[ \t]*(BEGIN|END)[ \t]+SOLUTION(?:[ \t]+NO PROMPT)?[ \t]*$", re.MULTILINE)
ONE_LINE = re.compile(r"^([ \t]*)(.*?)[ \t]*#+[ \t]*SOLUTION(?:[ \t]+NO PROMPT)?[ \t]*$", re.MULTILINE)
HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS.*?(?:END HIDDEN TESTS[^\n]*\n?|\Z)", re.MULTILINE | re.DOTALL)
GIVES = re.compile(r"^(?:import|from|def|class) ", re.MULTILINE)
MARKS = re.compile(r"^[ \t]*### (?:BEGIN|END) (?:SOLUTION|HIDDEN TESTS)[ \t]*\n?", re.MULTILINE)
IMPORTS = "import numpy as np\n\nfrom syncpoint.graders import core, weight"
# Names that a draft may use: it runs in the judge's process and gets students' texts.
PURE = {one for one, it in vars(builtins).items() if isinstance(it, type) and issubclass(it, BaseException)} | set(
    "abs all any bool dict enumerate float frozenset int isinstance len list max min range reversed round set sorted "
    "str sum tuple zip".split()
)
OF_NUMPY = set(
    "abs all allclose any arange array array_equal bool_ eye float32 float64 full inf int32 int64 isclose linspace "
    "max mean min nan ndarray ones pi round sort sqrt sum zeros".split()
)
OF_VALUES = set(
    "all any append call copy count dtype endswith index items join keys lower max mean min ndim replace returned "
    "reshape round shape size split startswith strip sum T tolist upper values".split()
)
TO_WRITE = 'raise NotImplementedError("write this test from outside: docs/how-to/move.md")'


@dataclass
class _Exercise:
    name: str
    solution: str  # with nbgrader's marks
    points: float = 0
    # code, weight, and whether students see the test
    tests: list[tuple[str, float, bool]] = field(default_factory=list)

    def cells(self) -> list[NotebookNode]:
        """The exercise's check, if students saw tests, and its grade cell."""
        shown = "\n\n".join(HIDDEN.sub("", test).rstrip() for test, _, visible in self.tests if visible)
        grade = texts.GRADE_CELL.substitute(exercise=self.name)
        cells = [course_cell(f"check_{self.name}", shown, locked=True)] if shown.strip() else []
        return [*cells, course_cell(f"test_{self.name}", grade, grade=True, locked=True, points=self.points)]


def moved_assignment(course: Course, assignment: str, theirs: Path, engine: str, title: str) -> Scaffold:
    """Return an assignment with the exercises of another tool's notebook, or raise CourseError."""
    book, name = read_notebook(theirs), re.sub(r"\W+", "_", theirs.stem).lower()
    made = new_assignment(course, assignment, name, engine, title)
    is_otter = any(cell.cell_type == "raw" and OF_OTTER.match(cell.source.upper()) for cell in book.cells)
    try:
        book.cells, exercises = (_of_otter if is_otter else _of_nbgrader)(book.cells)
        functions = {function for one in exercises for function in _functions(one.solution)}
        modules = {one.name: _module(one, functions, theirs.name) for one in exercises}
    except (SyntaxError, TypeError, ValueError, KeyError, yaml.YAMLError) as problem:
        raise CourseError(f"{theirs} cannot be moved ({problem}).") from None
    if not exercises or len(modules) < len(exercises):
        why = "has two exercises of one name" if exercises else "has no exercise with tests of nbgrader or Otter"
        raise CourseError(f"{theirs} {why}.")
    helpers = [
        cell for cell in book.cells if cell.cell_type == "code" and not grade_id(cell) and GIVES.search(cell.source)
    ]
    for number, cell in enumerate(helpers, 1):  # the bank's solutions need them
        cell.metadata["nbgrader"] = course_cell(f"given_{number}", "", locked=True).metadata.nbgrader
    graders = course.graders(assignment)
    files = made.files | {course.source(assignment).folder / f"{name}.ipynb": notebook_text(book)}
    files |= {graders.module(f"test_{name}"): text for name, text in modules.items()}
    solutions = {one.name: f"# The notebook's solution.\n{MARKS.sub('', one.solution).strip()}\n" for one in exercises}
    files |= {graders.bank / name / "01_ok_book.py": text for name, text in solutions.items()}
    files[graders.bank / "ci.txt"] = "".join(f"{assignment}/{name}/01_ok_book.py\n" for name in solutions)
    to_write = [f"test_{name}.py" for name, text in modules.items() if TO_WRITE in text]
    note = f"Some tests need a person, in {', '.join(to_write)}: docs/how-to/move.md" if to_write else ""
    return replace(made, files=files, then=made.then[1:], note=note)


def _of_nbgrader(cells: list[NotebookNode]) -> tuple[list[NotebookNode], list[_Exercise]]:
    """Return the exercises, and the cells with one grade cell each; written answers stay as they are."""
    made: list[NotebookNode | _Exercise] = []
    exercises: list[_Exercise] = []
    for cell in cells:
        about = cell.metadata.get("nbgrader", {})
        solution, grade = (cell.cell_type == "code" and about.get(kind) for kind in ("solution", "grade"))
        if solution and not grade:
            exercises.append(_Exercise(_name(grade_id(cell), cell.source), cell.source))
            about["grade_id"] = exercises[-1].name
        if solution or not grade or not exercises:
            made.append(cell)
            continue
        this = exercises[-1]
        made += [] if this.tests else [this]
        this.tests.append((cell.source, float(about["points"]), True))
        this.points += float(about["points"])
    whole = [cell for one in made for cell in (one.cells() if isinstance(one, _Exercise) else [one])]
    return whole, [one for one in exercises if one.tests]


def _of_otter(cells: list[NotebookNode]) -> tuple[list[NotebookNode], list[_Exercise]]:
    """Return the exercises, and the cells without Otter's own; manually graded ones become written answers."""
    made: list[NotebookNode] = []
    exercises: list[_Exercise] = []
    about: dict[str, Any] = {}
    this, where = _Exercise("", ""), ""
    for cell in cells:
        mark = OF_OTTER.match(cell.source.upper()) if cell.cell_type == "raw" else None
        if mark and mark["part"] == "QUESTION":
            about = yaml.safe_load(cell.source)
            this = _Exercise(about["name"], "")
        if mark and mark["end"] == "QUESTION" and (this.solution or this.tests):
            this.name = _name(this.name, this.solution)
            made.append(course_cell(this.name, this.solution, solution=True))
            if this.tests:
                this.points = _points(about, len(this.tests))
                made += this.cells()
                exercises.append(this)
        if mark:
            where = mark["part"] or ""
        elif where == "SOLUTION" and about.get("manual"):
            kind = {"grade": True, "solution": True, "locked": False, "points": _points(about), "schema_version": 3}
            cell.metadata["nbgrader"] = {**kind, "grade_id": about["name"], "task": False}
            scheme = f"### BEGIN MARK SCHEME\n{cell.source}\n### END MARK SCHEME"
            cell.source = _solution(cell.source) if cell.cell_type == "code" else scheme
            made.append(cell)
        elif where == "SOLUTION":
            this.solution = "\n\n".join(filter(None, [this.solution, _solution(cell.source)]))
        elif where.startswith("TEST"):
            this.tests.append((_asserted(CONFIG.sub("", cell.source)), 1.0, not _is_hidden(cell.source)))
        elif where != "PROMPT":
            made.append(cell)
    for cell in made:
        if cell.cell_type != "markdown" and "SOLUTION" in MARKS.sub("", cell.source):
            raise ValueError(f'students would see a cell that still says SOLUTION: "{cell.source.strip()[:50]}"')
    return made, exercises


def _is_hidden(test: str) -> bool:
    """Whether a test of Otter is hidden from students; in doubt, it is."""
    config = "".join(CONFIG.findall(test))
    said = dict(yaml.safe_load(config) or {}).get("hidden") is not False and "hidden" in config.lower()
    return said or bool(SAYS_HIDDEN.search(CONFIG.sub("", test)))


def _solution(source: str) -> str:
    """Return Otter's solution with nbgrader's marks."""
    text = BLOCK.sub(r"### \1 SOLUTION", PROMPT.sub("", source))
    return ONE_LINE.sub(r"\1### BEGIN SOLUTION\n\1\2\n\1### END SOLUTION", text)


def _points(about: dict[str, Any], tests: int = 1) -> float:
    said = about.get("points", 1)
    each = float(said["each"]) * tests if isinstance(said, dict) else 0.0
    return each or float(sum(said) if isinstance(said, list) else said)


def _asserted(source: str) -> str:
    """Convert a test that ends with an expression, which must be true in Otter."""
    tree = ast.parse(source)
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        tree.body[-1] = ast.Assert(tree.body[-1].value)
    return ast.unparse(ast.fix_missing_locations(tree))


def _functions(solution: str) -> list[str]:
    return re.findall(r"^def (\w+)", solution, re.MULTILINE)


def _name(theirs: str, solution: str) -> str:
    """Return an exercise's name: that of its first function, if it has one."""
    for name in [*_functions(solution), re.sub(r"\W", "_", theirs).lower()]:
        if NAME.fullmatch(name):
            return name
    raise ValueError(f'the exercise "{theirs}" needs a function, or a name that begins with a letter')


class _FromOutside(ast.NodeTransformer):
    """Calls of the student's functions."""

    def __init__(self, functions: Collection[str]):
        self._functions = functions

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.func, ast.Name) or node.func.id not in self._functions:
            return node
        call = ast.Attribute(ast.Name("student", ast.Load()), "call")
        return ast.Attribute(ast.Call(call, [ast.Constant(node.func.id), *node.args], node.keywords), "returned")


def _module(one: _Exercise, functions: Collection[str], notebook: str) -> str:
    """Return the grader of an exercise, with a test for each test of the other tool."""
    made = [f'"""{one.name}: moved from {notebook}."""\n\n{IMPORTS}']
    for number, (test, points, _) in enumerate(one.tests, 1):
        tree = _FromOutside(functions).visit(ast.parse(MARKS.sub("", test)))
        told = ast.get_docstring(tree) or f"Test {number} of {one.name}."
        if ast.get_docstring(tree):
            del tree.body[0]
        body = ast.unparse(ast.fix_missing_locations(tree))
        if not tree.body or not _crosses(tree):
            body = "\n".join([TO_WRITE, *(f"# {line}".rstrip() for line in test.splitlines())])
        marks = "@core\n" * (number == 1) + f"@weight({points:g})\n" * (points > 0)
        title = told.splitlines()[0].replace("\\", "").replace('"', "'")
        made.append(f'{marks}def test_{number}(student):\n    """{title}"""\n{indent(body, "    ")}')
    return "\n\n\n".join(made) + "\n"


def _crosses(test: ast.Module) -> bool:
    """Whether a test only calls the student's functions and compares what they return."""
    known = {"student", "np", *PURE}
    needed: set[str] = set()
    for node in ast.walk(test):
        if isinstance(node, ast.Try | ast.Delete | ast.With):
            return False
        if isinstance(node, ast.Import | ast.ImportFrom) and ast.unparse(node) != "import numpy as np":
            return False
        if isinstance(node, ast.Attribute):
            is_numpy = isinstance(node.value, ast.Name) and node.value.id == "np"
            if node.attr not in (OF_NUMPY if is_numpy else OF_VALUES):
                return False
        if isinstance(node, ast.Name):
            (known if isinstance(node.ctx, ast.Store) else needed).add(node.id)
    return needed <= known

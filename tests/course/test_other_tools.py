"""Moving a course from another tool, with the commands and the modules of docs/how-to/move.md.

nbgrader's example course is the one that it installs; the others have the shape of their public samples.
"""

import json
import re
from pathlib import Path

import nbformat
import nbgrader
import pytest
from classroom import ROOT, SmallCourse
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from typer.testing import CliRunner

from syncpoint.cli import app

PAGE = (ROOT / "docs" / "how-to" / "move.md").read_text(encoding="utf-8")
MODULES = {
    text.partition("(")[0].removeprefix('"""'): text
    for text in re.findall(r"^```python\n(\"\"\".*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
}
THEIRS = Path(nbgrader.__file__).parent / "docs" / "source" / "user_guide" / "source" / "ps1" / "problem1.ipynb"
RIGHT = {
    "squares": """def squares(n):
    if n < 1:
        raise ValueError("n is below 1")
    return [i**2 for i in range(1, n + 1)]
""",
    "sieve": """def sieve(n):
    return [p for p in range(2, n + 1) if all(p % d for d in range(2, p))]
""",
    "evaluate": """def evaluate(text):
    total = 0
    for part in text.split("+"):
        product = 1
        for factor in part.split("*"):
            product *= int(factor)
        total += product
    return total
""",
    "fib": """def fib(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a
""",
}
WRONG = {  # the solution, and the tests that it fails
    "squares": ("def squares(n):\n    return [i**2 for i in range(1, n + 1)]\n", "test_below_one"),
    "sieve": (RIGHT["sieve"].replace("range(2, n + 1)", "range(3, n + 1)"), "test_small, test_large"),
    "evaluate": (
        "def evaluate(text):\n    return sum(int(n) for n in text.replace('*', '+').split('+'))\n",
        "test_order",
    ),
    "fib": (RIGHT["fib"].replace("0, 1", "1, 1"), "test_first_two, test_random"),
}


def _id(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _solve(cells: list[NotebookNode], answers: dict[str, str]) -> None:
    for cell in cells:
        if _id(cell) in answers:
            cell.source = answers[_id(cell)]


def _write_moved(course: SmallCourse) -> None:
    """Put the page's modules, the solutions and the bank into their places."""
    graders, path = course.root / "grader_tests" / "ps1", course.root / "source" / "ps1" / "problem1.ipynb"
    book = nbformat.read(path, as_version=4)
    for name, module in MODULES.items():
        (graders / f"test_{name}.py").write_text(module)
        bank = graders / "bank" / name
        bank.mkdir(exist_ok=True)
        for scaffold in bank.iterdir():
            scaffold.unlink()
        wrong, kills = WRONG[name]
        (bank / "01_ok_last_year.py").write_text(f"# The reference.\n{RIGHT[name]}")
        (bank / "11_bad_last_year.py").write_text(f"# Wrong.\n# breaks: the text\n# kills: {kills}\n{wrong}")
    heads = {name: text.partition("\n") for name, text in RIGHT.items()}
    marked = {n: f"{h}\n    ### BEGIN SOLUTION\n{rest}    ### END SOLUTION" for n, (h, _, rest) in heads.items()}
    checks = {f"check_{name}": f"assert {name} is not None" for name in MODULES}
    _solve(book.cells, marked | checks)
    nbformat.write(book, path)


def _points(course: SmallCourse, student: str) -> dict[str, float]:
    with course.gradebook() as gradebook:
        return {name: gradebook.find_grade(f"test_{name}", "problem1", "ps1", student).score for name in MODULES}


@pytest.mark.exhaustive  # eight solutions, a release and two submissions: minutes on a busy machine
def test_an_exercise_of_each_tool_is_moved_as_the_page_says(tmp_path: Path, plain_engine: Path):
    assert list(MODULES) == list(RIGHT)
    here, course = SmallCourse(tmp_path / "here"), SmallCourse(tmp_path / "moved")
    here.root.mkdir()
    begun = [here.run("syncpoint", "init", "../moved")]
    begun.append(course.run("syncpoint", "new", "ps1", "--from", str(THEIRS), "--engine", "plain"))
    assert [done.stdout + done.stderr for done in begun if done.returncode] == []
    done = course.run("syncpoint", "vet", "solutions", "ps1")
    assert done.returncode != 0 and "ps1/sum_of_squares/01_ok_book broke test_2." in done.stdout, done.stdout
    draft = course.root / "grader_tests" / "ps1" / "test_sum_of_squares.py"
    draft.write_text(draft.read_text().partition("@weight(0.5)\ndef test_2")[0].rstrip() + "\n")  # is left out
    for name, points in (("sieve", "3"), ("evaluate", "6"), ("fib", "7")):
        course.must_run("syncpoint", "new", "ps1", name, "--points", points)
    _write_moved(course)
    for command in (("syncpoint", "vet", "solutions", "ps1"), ("nbgrader", "generate_assignment", "ps1", "--force")):
        done = course.run(*command)
        assert done.returncode == 0, (command, done.stdout, done.stderr)

    released = nbformat.read(course.root / "release" / "ps1" / "problem1.ipynb", as_version=4)
    assert "sum_of_squares_equation" in map(_id, released.cells)
    for student, answers in (("ada", RIGHT), ("ben", {name: wrong for name, (wrong, _) in WRONG.items()})):
        _solve(released.cells, answers)
        folder = course.root / "submitted" / student / "ps1"
        folder.mkdir(parents=True)
        (folder / "problem1.ipynb").write_text(json.dumps(released))
    course.must_run("syncpoint", "grade", "ps1")
    most = {"squares": 2, "sieve": 3, "evaluate": 6, "fib": 7}
    assert _points(course, "ada") == most
    assert [name for name, points in _points(course, "ben").items() if points >= most[name]] == []


# --- notebooks that `syncpoint new --from` moves ---

TO_WRITE = 'raise NotImplementedError("write this test from outside: docs/how-to/move.md")'
OF_OTTER = [
    new_raw_cell("# ASSIGNMENT CONFIG\nexport_cell: false"),
    new_code_cell("import numpy as np\n%matplotlib inline"),
    new_raw_cell("# BEGIN QUESTION\nname: q1\npoints:\n  each: 2"),
    new_markdown_cell("Write `double`."),
    new_raw_cell("# BEGIN SOLUTION"),
    new_code_cell("def double(x):\n    return 2 * x # SOLUTION"),
    new_raw_cell("# END SOLUTION"),
    new_raw_cell("# BEGIN TESTS"),
    new_code_cell("double(2) == 4"),
    new_code_cell('""" # BEGIN TEST CONFIG\nhidden: true\n""" # END TEST CONFIG\nassert double(double(1)) == 4'),
    new_code_cell("# HIDDEN\nassert next(iter([double(1)])) == 2"),
    new_raw_cell("# END TESTS"),
    new_raw_cell("# END QUESTION"),
    new_raw_cell("# BEGIN QUESTION\nname: q2\npoints: 3"),
    new_raw_cell("# BEGIN SOLUTION"),
    new_code_cell(
        '# BEGIN SOLUTION NO PROMPT\nmean = 3\n# END SOLUTION\n""" # BEGIN PROMPT\nmean = ...\n""" # END PROMPT'
    ),
    new_raw_cell("# END SOLUTION"),
    new_raw_cell("# BEGIN TESTS"),
    new_code_cell("mean == double(1.5)"),
    new_raw_cell("# END TESTS"),
    new_raw_cell("# END QUESTION"),
    new_raw_cell("# BEGIN QUESTION\nname: q3\nmanual: true\npoints: 4"),
    new_raw_cell("# BEGIN PROMPT"),
    new_markdown_cell("_Type here._"),
    new_raw_cell("# END PROMPT"),
    new_raw_cell("# BEGIN SOLUTION"),
    new_markdown_cell("It grows."),
    new_raw_cell("# END SOLUTION"),
    new_raw_cell("# END QUESTION"),
]


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    """A course without assignments."""
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text())
    return tmp_path / "course"


def _moved(course: Path, theirs: Path) -> tuple[str, list[NotebookNode]]:
    """Move a notebook; what is printed, and the cells."""
    command = ["new", "ps1", "--from", str(theirs), "--engine", "plain", "--course", str(course)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0, done.output
    return done.output, nbformat.read(course / "source" / "ps1" / f"{theirs.stem}.ipynb", as_version=4).cells


def _about(cells: list[NotebookNode]) -> dict[str, tuple[bool, bool, float]]:
    """Of each cell with an id: whether students answer there, whether it has points, and how many."""
    marks = [cell.metadata.nbgrader for cell in cells if _id(cell)]
    return {one.grade_id: (one.solution, one.grade, one.get("points", 0)) for one in marks}


def test_a_notebook_of_nbgrader_becomes_cells_graders_and_a_bank(empty: Path):
    output, cells = _moved(empty, THEIRS)
    assert "Some tests need a person, in test_squares.py, test_sum_of_squares.py: docs/how-to/move.md" in output
    about = _about(cells)
    assert about["squares"] == (True, False, 0) and about["test_squares"] == (False, True, 2)
    assert about["test_sum_of_squares"] == (False, True, 1) and about["sum_of_squares_application"] == (True, True, 2)
    assert not about.keys() & {"correct_squares", "squares_invalid_input", "sum_of_squares_uses_squares"}
    graders = empty / "grader_tests" / "ps1"
    assert "    assert student.call('squares', 2).returned == [1, 4]\n" in (graders / "test_squares.py").read_text()
    left = (graders / "test_sum_of_squares.py").read_text().partition("def test_2")[2]
    assert f"\n    {TO_WRITE}\n" in left and "    # del squares\n" in left
    assert "### BEGIN" not in (graders / "bank" / "squares" / "01_ok_book.py").read_text()


def test_a_notebook_of_otter_becomes_cells_graders_and_a_bank(empty: Path):
    nbformat.write(new_notebook(cells=OF_OTTER), empty / "lab1.ipynb")
    output, cells = _moved(empty, empty / "lab1.ipynb")
    assert "in test_double.py, test_q2.py" in output and all(cell.cell_type != "raw" for cell in cells)
    assert _about(cells) == {
        "given_1": (False, False, 0),
        "double": (True, False, 0),
        "check_double": (False, False, 0),
        "test_double": (False, True, 6),
        "q2": (True, False, 0),
        "check_q2": (False, False, 0),
        "test_q2": (False, True, 3),
        "q3": (True, True, 4),
    }
    source = {_id(cell): cell.source for cell in cells}
    assert source["double"] == "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
    assert source["q2"].strip() == "### BEGIN SOLUTION\nmean = 3\n### END SOLUTION"
    assert source["q3"] == "### BEGIN MARK SCHEME\nIt grows.\n### END MARK SCHEME"
    assert source["check_double"] == "assert double(2) == 4"
    first, second, third = (empty / "grader_tests" / "ps1" / "test_double.py").read_text().split("(student):")[1:]
    assert "    assert student.call('double', 2).returned == 4\n" in first
    assert "    assert student.call('double', student.call('double', 1).returned).returned == 4\n" in second
    assert TO_WRITE in third and TO_WRITE in (empty / "grader_tests" / "ps1" / "test_q2.py").read_text()


def test_a_notebook_without_exercises_is_not_moved(empty: Path):
    nbformat.write(new_notebook(cells=[new_code_cell("1 + 1")]), empty / "notes.ipynb")
    done = CliRunner().invoke(app, ["new", "ps1", "--from", str(empty / "notes.ipynb"), "--course", str(empty)])
    assert done.exit_code == 1 and "has no exercise with tests of nbgrader or Otter" in done.output
    assert not (empty / "source").exists()


def _draft(course: Path, test: str) -> str:
    """The drafted test of a notebook of nbgrader with this one."""
    solution = new_code_cell("def f(x):\n    return x", metadata=_nbgrader("f", solution=True))
    graded = new_code_cell(test, metadata=_nbgrader("test", grade=True, points=1))
    nbformat.write(new_notebook(cells=[solution, graded]), course / "book.ipynb")
    _moved(course, course / "book.ipynb")
    return (course / "grader_tests" / "ps1" / "test_f.py").read_text()


def _nbgrader(identity: str, **kind: bool | float) -> dict[str, dict[str, object]]:
    return {"nbgrader": {"grade_id": identity, "grade": False, "solution": False, "schema_version": 3, **kind}}


def test_marks_of_otter_may_be_written_in_another_way(empty: Path):
    cells = _question("name: q1", "a = 4321", "a > 1")
    for cell in cells:
        if cell.cell_type == "raw":
            cell.source = "\n" + cell.source.replace("# BEGIN ", "#begin  ")
    nbformat.write(new_notebook(cells=cells), empty / "lab.ipynb")
    _, cells = _moved(empty, empty / "lab.ipynb")
    assert [_id(cell) for cell in cells if "4321" in cell.source] == ["q1"]


def _question(about: str, solution: str, *tests: str) -> list[NotebookNode]:
    """The cells of a question of Otter."""
    cells = [new_raw_cell(f"# BEGIN QUESTION\n{about}"), new_raw_cell("# BEGIN SOLUTION"), new_code_cell(solution)]
    cells += [new_raw_cell("# END SOLUTION"), new_raw_cell("# BEGIN TESTS"), *map(new_code_cell, tests)]
    return [*cells, new_raw_cell("# END TESTS"), new_raw_cell("# END QUESTION")]


@pytest.mark.parametrize(
    "test",
    [
        "import numpy as np\nassert np.allclose(f(np.ones(3)), np.ones(3)) and isinstance(f(1), int)",
        "for i in range(3):\n    if f(i) != i:\n        raise AssertionError(str(i))",
        'assert f("a b").split() == ["a", "b"]',
    ],
)
def test_a_test_that_only_compares_becomes_a_draft(empty: Path, test: str):
    assert TO_WRITE not in _draft(empty, test)


@pytest.mark.parametrize(
    "test",
    [
        "assert eval(f(3)) == 3",
        "assert open(f(3)).read() == 'x'",
        "assert np.load(f(3)).sum() == 3",
        "n = np\nassert n.load(f(3)).sum() == 3",
        "assert np.lib.npyio.load(f(3)) is None",
        "assert f(3).__class__ is int",
        "assert f(3).format(np) == '3'",
        "assert sorted(f(3), key=getattr) == [3]",
        "from numpy import load as max\nassert max(f(3)) == 3",
    ],
)
def test_a_student_s_text_is_not_run_where_tests_run(empty: Path, test: str):
    draft = _draft(empty, test)
    assert f"    {TO_WRITE}\n    # {test.splitlines()[0]}" in draft


@pytest.mark.parametrize(
    ("head", "hidden"),
    [
        ("# HIDDEN", True),
        ("#HIDDEN", True),
        ("# hidden", True),
        ("## Hidden Test ##", True),
        ('""" # BEGIN TEST CONFIG\nhidden: True\n""" # END TEST CONFIG', True),
        ('""" # BEGIN TEST CONFIG\n{"hidden": yes, "points": 2}\n""" # END TEST CONFIG', True),
        ('_ = """#begin test config \nHidden: true\n"""#end test config ', True),
        ('""" # BEGIN TEST CONFIG\nhidden: true\n"""', True),
        ('""" # BEGIN TEST CONFIG\nhidden: false\n""" # END TEST CONFIG\n# HIDDEN', True),
        ('""" # BEGIN TEST CONFIG\nhidden: False\n""" # END TEST CONFIG', False),
        ('""" # BEGIN TEST CONFIG\npoints: 2\n""" # END TEST CONFIG', False),
        ("hidden_size = 4", False),
    ],
)
def test_a_test_of_otter_is_hidden_in_doubt(empty: Path, head: str, hidden: bool):
    tests = ("assert f(1) == 1", f"{head}\nassert f(4321) == 4321")
    nbformat.write(new_notebook(cells=_question("name: q1", "def f(x):\n    return x", *tests)), empty / "lab.ipynb")
    _, cells = _moved(empty, empty / "lab.ipynb")
    assert ("4321" in "".join(cell.source for cell in cells)) is not hidden
    assert "4321" in (empty / "grader_tests" / "ps1" / "test_f.py").read_text()


@pytest.mark.parametrize("mark", ["### BEGIN HIDDEN TESTS ", "# BEGIN HIDDEN TESTS"])
def test_hidden_tests_of_nbgrader_stay_hidden(empty: Path, mark: str):
    _draft(empty, f"assert f(1) == 1\n{mark}\nassert f(4321) == 4321\n### END HIDDEN TESTS")
    assert "4321" not in (empty / "source" / "ps1" / "book.ipynb").read_text()


def test_a_question_of_otter_without_tests_stays_a_solution_cell(empty: Path):
    cells = _question("name: q1\npoints:\n  each: 1", "def g(x):\n    return x # SOLUTION")
    cells += _question("name: q2", "def f(x):\n    return x", "f(1) == 1")
    nbformat.write(new_notebook(cells=cells), empty / "lab.ipynb")
    _, cells = _moved(empty, empty / "lab.ipynb")
    assert _about(cells)["g"] == (True, False, 0) and "test_g" not in _about(cells)
    assert "    return x\n" in next(cell.source for cell in cells if _id(cell) == "g")


@pytest.mark.parametrize("mark", ["# SOLUTION ", "#SOLUTION", "# SOLUTION NO PROMPT\t", "## SOLUTION"])
def test_each_form_of_otter_s_mark_keeps_the_solution_from_students(empty: Path, mark: str):
    cells = _question("name: q1", f"a = 1 # SOLUTION\nb = 2 {mark}\nc = 3", "a == 1")
    nbformat.write(new_notebook(cells=cells), empty / "lab.ipynb")
    _, cells = _moved(empty, empty / "lab.ipynb")
    marked = "### BEGIN SOLUTION\n{}\n### END SOLUTION\n"
    solution = next(cell.source for cell in cells if _id(cell) == "q1")
    assert solution == marked.format("a = 1") + marked.format("b = 2") + "c = 3"


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        (_question("name: q1", "a = 1 # SOLUTION\nb = 2 # SOLUTION: two", "a == 1"), "still says SOLUTION"),
        ([new_raw_cell("## BEGIN SOLUTION"), *_question("name: q1", "a = 1", "a == 1")], "still says SOLUTION"),
        ([new_code_cell("b = 2 # SOLUTION"), *_question("name: q1", "a = 1", "a == 1")], "still says SOLUTION"),
        (_question("name: 1-a", "a = 1", "a == 1"), 'the exercise "1-a" needs a function, or a name'),
        ([new_code_cell("a = 1", metadata=_nbgrader("1-a", solution=True))], 'the exercise "1-a" needs a function'),
    ],
)
def test_a_notebook_that_cannot_be_moved_says_why(empty: Path, cells: list[NotebookNode], told: str):
    nbformat.write(new_notebook(cells=cells), empty / "lab.ipynb")
    done = CliRunner().invoke(app, ["new", "ps1", "--from", str(empty / "lab.ipynb"), "--course", str(empty)])
    assert done.exit_code == 1 and told in done.output.replace("\n", " ")
    assert not (empty / "source").exists()

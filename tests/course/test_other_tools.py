"""Moving a course from another tool, with the commands and the modules of docs/how-to/move.md.

nbgrader's example course is the one that it installs; the others are exercises of the shape of their public samples.
"""

import json
import re
from pathlib import Path

import nbformat
import nbgrader
import pytest
from classroom import ROOT, SmallCourse
from nbformat import NotebookNode
from nbgrader.api import Gradebook

PAGE = (ROOT / "docs" / "how-to" / "move.md").read_text(encoding="utf-8")
MODULES = {
    text.partition("(")[0].removeprefix('"""'): text
    for text in re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
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
GONE = ("squares_invalid_input", "correct_sum_of_squares", "sum_of_squares_uses_squares")


def _id(cell: NotebookNode) -> str:
    return str(cell.metadata.get("nbgrader", {}).get("grade_id", ""))


def _solve(cells: list[NotebookNode], answers: dict[str, str]) -> None:
    for cell in cells:
        if _id(cell) in answers:
            cell.source = answers[_id(cell)]


def _move_squares(path: Path) -> None:
    """One grade cell test_squares has the points of both cells with tests; those of the next exercise are left out."""
    book = nbformat.read(path, as_version=4)
    book.cells = [cell for cell in book.cells if _id(cell) not in GONE]
    for cell in book.cells:
        if _id(cell) == "correct_squares":
            cell.metadata.nbgrader |= {"grade_id": "test_squares", "points": 2, "locked": True}
    nbformat.write(book, path)


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
    with Gradebook(f"sqlite:///{course.root}/gradebook.db", "syncpoint") as gradebook:
        return {name: gradebook.find_grade(f"test_{name}", "problem1", "ps1", student).score for name in MODULES}


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.exhaustive  # eight solutions, a release and two submissions: minutes on a busy machine
def test_an_exercise_of_each_tool_is_moved_as_the_page_says(tmp_path: Path, plain_engine: Path):
    assert list(MODULES) == list(RIGHT)
    here, course = SmallCourse(tmp_path / "here"), SmallCourse(tmp_path / "moved")
    here.root.mkdir()
    begun = [here.run("syncpoint", "init", "../moved")]
    begun.append(course.run("syncpoint", "new", "ps1", "--engine", "plain", "--notebook", "problem1"))
    assert [done.stdout + done.stderr for done in begun if done.returncode] == []
    notebook = course.root / "source" / "ps1" / "problem1.ipynb"
    notebook.write_text(THEIRS.read_text(encoding="utf-8"), encoding="utf-8")
    done = course.run("nbgrader", "generate_assignment", "ps1", "--force")
    assert done.returncode != 0
    assert "the grade cell correct_squares of problem1.ipynb has no grader module" in done.stdout + done.stderr

    _move_squares(notebook)
    for name, points in (("sieve", "3"), ("evaluate", "6"), ("fib", "7")):
        done = course.run("syncpoint", "new", "ps1", name, "--points", points)
        assert done.returncode == 0, done.stdout + done.stderr
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
    done = course.run("syncpoint", "grade", "ps1")
    assert done.returncode == 0, done.stdout + done.stderr
    most = {"squares": 2, "sieve": 3, "evaluate": 6, "fib": 7}
    assert _points(course, "ada") == most
    assert [name for name, points in _points(course, "ben").items() if points >= most[name]] == []

"""New assignments and exercises: all files of each, complete, for the author to change."""

import ast
import builtins
import json
import keyword
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from . import scaffold_texts as texts
from .assignment import FILE
from .cells import grade_id
from .errors import CourseError
from .folder import Course
from .settings import read_settings

KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
NAME = re.compile(r"[a-z][a-z0-9_]*")  # names folders, cells, modules and students of the sample class
MAX_NAME_LETTERS = 50  # letters; the id of a cell may have 64
CELLS = "cells.json"  # in an engine's folder
NOT_A_NAME = "{!r} is not a valid name: use at most 50 of a-z, 0-9 and _, beginning with a letter."
HAS_A_MEANING = "{!r} is not a valid name: {}. Choose another one."


@dataclass(frozen=True)
class Scaffold:
    """The files to write for a new assignment or exercise."""

    files: dict[Path, str]  # the new content of each file
    then: tuple[str, ...]  # the commands to run next
    missing: str = ""  # the engine whose environment is missing, or ""
    note: str = ""  # a note for the author, or ""


@dataclass(frozen=True)
class EngineCells:
    """An engine's examples for cells and graders: its cells.json."""

    imports: list[str]  # the lines of the first code cell
    example: str  # Python for an array of the numbers 1 and 2, in a cell
    numbers: str  # Python code that, appended to such an array, makes it a list of numbers
    argument: str  # Python for the NumPy array `x` as an argument, in a grader


def new_assignment(course: Course, assignment: str, notebook: str, engine: str, title: str) -> Scaffold:
    """Return the files of an assignment without exercises.

    "" for the notebook and the title means the assignment's name, and for the engine the course's.

    Raises:
        CourseError: If a name cannot be used or something is there already.
    """
    notebook, title = notebook or assignment, title or assignment.replace("_", " ").capitalize()
    engine = engine or read_settings(course.settings()).engine
    for name in (assignment, notebook):
        _check_name(name)
    if not title.isprintable():
        raise CourseError("the title must be one line of text.")
    source, graders = course.source(assignment).folder, course.graders(assignment).folder
    _check_new(source, graders, course.root / "release" / assignment)
    cells = [
        new_markdown_cell(texts.TITLE_CELL.substitute(title=title), id="title"),
        course_cell("imports", "\n".join(_cells_of(course, engine).imports), locked=True),
    ]
    book = new_notebook(cells=cells, metadata={"kernelspec": KERNEL, "language_info": {"name": "python"}})
    settings = texts.ASSIGNMENT_FILE.substitute(title=json.dumps(title, ensure_ascii=False), engine=engine)
    files = {
        source / f"{notebook}.ipynb": notebook_text(book),
        graders / FILE: settings,
        course.graders(assignment).bank / "class.toml": texts.CLASS_FILE,
    }
    then = (
        f"syncpoint new {assignment} EXERCISE",
        f"syncpoint vet solutions {assignment}",
        f"nbgrader generate_assignment {assignment}",
    )
    return Scaffold(files, then, _missing(course, engine))


def new_exercise(course: Course, assignment: str, exercise: str, points: int, notebook: str) -> Scaffold:
    """Return an exercise's files; ``notebook`` (or "": the only one) gets its cells. Raises CourseError."""
    _check_name(exercise)
    if keyword.iskeyword(exercise) or hasattr(builtins, exercise):
        raise CourseError(HAS_A_MEANING.format(exercise, "it is a Python keyword"))
    if exercise == "cheats":
        raise CourseError(HAS_A_MEANING.format(exercise, "the bank uses it for cheats"))
    if exercise.startswith(("test_", "check_")):
        raise CourseError(HAS_A_MEANING.format(exercise, "names of an exercise's own cells begin like this"))
    if assignment not in course.assignments():
        raise CourseError(f"there is no assignment {assignment!r}: run `syncpoint new {assignment}` first.")
    books = {path: read_notebook(path) for path in sorted(course.source(assignment).folder.glob("*.ipynb"))}
    path = _chosen(assignment, list(books), notebook)
    grader, bank = course.graders(assignment).module(f"test_{exercise}"), course.graders(assignment).bank
    _check_new(grader, bank / exercise)
    engine = course.settings_of(assignment).engine
    how = _cells_of(course, engine)
    added = _exercise_cells(exercise, points, how)
    _check_free(exercise, added, list(books.values()))
    _insert(books[path], added)
    files = {grader: texts.GRADER.substitute(exercise=exercise, argument=how.argument)}
    files |= {bank / exercise / f"{name}.py": text.substitute(exercise=exercise) for name, text in texts.BANK.items()}
    files[bank / "class.toml"] = _with_student(bank / "class.toml", exercise)
    files[bank / "ci.txt"] = _with_lines(bank / "ci.txt", f"{assignment}/{exercise}")
    files[path] = notebook_text(books[path])
    then = (
        f"syncpoint vet solutions {assignment}/{exercise}",
        f"nbgrader generate_assignment {assignment} --force",
        f"syncpoint demo --assignment {assignment}",
    )
    return Scaffold(files, then, _missing(course, engine))


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > MAX_NAME_LETTERS:
        raise CourseError(NOT_A_NAME.format(name))


def _check_new(*paths: Path) -> None:
    for path in paths:
        if path.exists() or path.is_symlink():
            raise CourseError(f"{path} already exists, and nothing is overwritten: choose another name.")


def _check_free(exercise: str, added: list[NotebookNode], books: list[NotebookNode]) -> None:
    cells = [cell for book in books for cell in book.cells]
    taken = {cell.get("id") for cell in cells} | set(map(grade_id, cells))
    for cell in added:
        if cell.id in taken:
            raise CourseError(f"the assignment already has a cell {cell.id}: choose another name.")
    for cell in cells:
        if cell.cell_type == "code" and exercise in _given(cell.source):
            raise CourseError(f"the cell {cell.get('id', '')} already defines {exercise}: choose another name.")


def _given(source: str) -> set[str]:
    """Return the names that a cell defines in any scope; none if it is not plain Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set()
    imported = {(node.asname or node.name).partition(".")[0] for node in nodes if isinstance(node, ast.alias)}
    defined = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return imported | defined | {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _chosen(assignment: str, paths: list[Path], notebook: str) -> Path:
    names = ", ".join(path.stem for path in paths)
    if not notebook and len(paths) > 1:
        raise CourseError(f"{assignment} has the notebooks {names}: choose one with --notebook.")
    for path in paths:
        if notebook in ("", path.stem):
            return path
    raise CourseError(f"{assignment} has no notebook {notebook!r}: it has {names}.")


def _cells_of(course: Course, engine: str) -> EngineCells:
    path = course.engine(engine).folder / CELLS
    try:
        return EngineCells(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, TypeError, ValueError) as problem:
        example = "write it as described in docs/how-to/add-an-engine.md, or choose another engine"
        raise CourseError(f"{path}, with the cells of a new notebook, cannot be used ({problem}): {example}.") from None


def _exercise_cells(exercise: str, points: int, how: EngineCells) -> list[NotebookNode]:
    def text(template: Any) -> str:
        return str(template.substitute(exercise=exercise, example=how.example, numbers=how.numbers))

    return [
        new_markdown_cell(text(texts.ASK_CELL), id=f"ask-{exercise}".replace("_", "-")),
        course_cell(exercise, text(texts.SOLUTION_CELL), solution=True),
        course_cell(f"check_{exercise}", text(texts.CHECK_CELL), locked=True),
        course_cell(f"test_{exercise}", text(texts.GRADE_CELL), grade=True, locked=True, points=points),
    ]


def course_cell(identity: str, source: str, **kind: bool | float) -> NotebookNode:
    """Return a code cell with nbgrader's metadata and the same id in the notebook format."""
    usual = {"grade": False, "locked": False, "schema_version": 3, "solution": False, "task": False}
    return new_code_cell(source, id=identity, metadata={"nbgrader": {**usual, "grade_id": identity, **kind}})


def _insert(book: NotebookNode, cells: list[NotebookNode]) -> None:
    """Insert cells after the last one with points, so that closing cells stay at the end."""
    graded = [place for place, cell in enumerate(book.cells) if cell.metadata.get("nbgrader", {}).get("grade")]
    place = graded[-1] + 1 if graded else len(book.cells)
    book.cells[place:place] = cells


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook, or raise CourseError."""
    try:
        return nbformat.read(path, as_version=4)
    except (OSError, ValueError, AttributeError) as problem:
        raise CourseError(f"{path} cannot be read as a notebook ({problem}).") from None


def notebook_text(book: NotebookNode) -> str:
    if book.nbformat_minor < 5:  # cells had no ids then
        for cell in book.cells:
            cell.pop("id", None)
    return str(nbformat.writes(book)) + "\n"


def _with_student(path: Path, exercise: str) -> str:
    """Return class.toml with another student, whom the demo shows if it has no other."""
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else texts.CLASS_FILE
        students = tomllib.loads(text).get("students", [])
        student = _free(f"{exercise}_adds_two", {str(one.get("name")) for one in students})
        did = "" if any("did" in one for one in students) else texts.DID.substitute(exercise=exercise)
        names = {"student": student, "did": did, "exercise": exercise, "mistake": texts.MISTAKE}
        text = text.rstrip("\n") + "\n" + texts.STUDENT.substitute(names)
        tomllib.loads(text)
    except (OSError, ValueError, AttributeError, TypeError) as problem:
        raise CourseError(f"cannot add a student to {path} ({problem}): correct the file first.") from None
    return text


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else _free(f"{name}_too", taken)


def _with_lines(listing: Path, exercise: str) -> str:
    lines = listing.read_text(encoding="utf-8").splitlines() if listing.is_file() else []
    return "\n".join([*lines, *(f"{exercise}/{name}.py" for name in texts.BANK)]) + "\n"


def _missing(course: Course, engine: str) -> str:
    return "" if (course.engine_prefix(engine) / "bin" / "python").exists() else engine

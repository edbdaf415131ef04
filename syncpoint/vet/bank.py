"""The bank: which solutions there are, and what each says of itself by its name and its first lines."""

import ast
import difflib
import re
import warnings
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager

from ..core.names import meant
from ..course.folder import Course, CourseError

NAME = re.compile(r"\d{2}_(?P<kind>ok|bad)_\w+")
CHEATS = "cheats"  # a folder of whole submissions; cheats.py reads it
SETTING = re.compile(r"^#[ \t]*(?P<key>\w+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)
KILLS, MISCONCEPTION = KEYS = ("kills", "misconception")
LEFT_BEHIND = {".ipynb_checkpoints", "__pycache__"}  # by Jupyter and by Python
MISPLACED = "{}: nothing is looked for there; {}."
PLACE = "put it into <exercise>/ of its assignment and name it <nn>_ok_<slug>.py or <nn>_bad_<slug>.py"


@dataclass(frozen=True)
class Solution:
    """One file of the bank: what one student might write into the solution cell of an exercise.

    Attributes:
        kills: The tests that must fail, and only those; None where the file does not say.
        misconception: The section of docs/misconceptions.md that explains it; "" where the file does not say.
    """

    path: Path
    assignment: str
    exercise: str
    right: bool
    kills: frozenset[str] | None
    misconception: str = ""

    @property
    def name(self) -> str:
        """How reports name it."""
        return f"{self.assignment}/{self.exercise}/{self.path.stem}"


def read_bank(
    folder: Path | None, course: Course, assignment: str = "", exercises: tuple[str, ...] = ()
) -> list[Solution]:
    """Return solutions, in order.

    Args:
        folder: Holds those of each assignment in a folder of its name; None for the banks of the course.
        course: With their assignments.
        assignment: Only of this one, if it is named.
        exercises: Only of these, if they are named.

    Raises:
        CourseError: For a file or folder whose name fits nothing in the course, and if nothing is left to vet.
    """
    check_bank(folder)
    assignments = course.assignments()
    for root in banks(folder, course).values() if folder is None else [folder]:
        own = assignments if folder else []
        check_places((path for path in find(root, "**/*") if not _in_place(path.relative_to(root), own)), PLACE)
    shown = folder or "the banks of this course"
    found = [
        _read(path, name, exercise.name)
        for exercise, name in _exercises(folder, course, assignment)
        if not exercises or exercise.name in exercises
        for path in find(exercise, "*")
        if _looks_like_one(path)
    ]
    unknown = sorted(set(exercises) - {solution.exercise for solution in found})
    if unknown:
        then = (
            meant(unknown[0], (exercise.name for exercise, _ in _exercises(folder, course, assignment)))
            or f"; look into {shown} for what it has."
        )
        raise CourseError(f"the bank has no solution of {', '.join(unknown)}{then}")
    if not found:
        raise CourseError(f"nothing to vet: there is no solution in {shown}, or none of what you named.")
    return found


def banks(folder: Path | None, course: Course) -> dict[str, Path]:
    """Where the solutions of each assignment lie: below ``folder``, or beside its graders; only what is there."""
    places = {name: folder / name if folder else course.bank(name) for name in course.assignments()}
    return {name: place for name, place in places.items() if place.is_dir()}


def check_bank(folder: Path | None) -> None:
    """Refuse a folder that is not there.

    Raises:
        CourseError: If it is not.
    """
    if folder is not None and not folder.is_dir():
        raise CourseError(f"there is no bank {folder}: name a folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.")


def find(folder: Path, pattern: str) -> list[Path]:
    """What lies below a folder of the bank, in order, without what tools leave behind there."""
    return sorted(path for path in folder.glob(pattern) if LEFT_BEHIND.isdisjoint(path.relative_to(folder).parts))


def check_places(paths: Iterable[Path], advice: str) -> None:
    """Refuse a file that was meant for the bank and lies where nothing is looked for.

    Args:
        paths: Where nothing is looked for.
        advice: What to do with one.

    Raises:
        CourseError: If there is one.
    """
    for path in sorted(paths):
        if path.is_file() and _looks_like_one(path):
            raise CourseError(MISPLACED.format(path, advice))


def read_text(path: Path) -> str:
    """Return what a file of the bank holds.

    Raises:
        CourseError: If it cannot be read as UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise CourseError(f"{path} cannot be read as a text in UTF-8 ({problem}).") from None


def _in_place(path: Path, assignments: list[str]) -> bool:
    """Whether a path, from the bank on, is where solutions lie, or among the cheats."""
    return path.parts[0] == CHEATS or len(path.parts) == (3 if path.parts[0] in assignments else 2)


def _looks_like_one(path: Path) -> bool:
    """Whether somebody may have meant a file to be a solution or a cheat."""
    return path.suffix.lower() == ".py" or bool(NAME.fullmatch(path.stem))


def only_listed(solutions: list[Solution], name: str) -> list[Solution]:
    """Return those that the list ``<name>.txt`` of their bank names, one ``<exercise>/<file>`` a line.

    Lines that start with # say why.

    Raises:
        CourseError: If no bank has such a list, or for a line that names no file of the bank.
    """
    listings = sorted({solution.path.parents[1] / f"{name}.txt" for solution in solutions})
    there = [listing for listing in listings if listing.is_file()]
    if listings and not there:
        raise CourseError(f"no bank has a list {name}: there is no {listings[0]}.")
    wanted = {path for listing in there for path in _listed(listing)}
    return [solution for solution in solutions if solution.path in wanted]


def _listed(listing: Path) -> Iterator[Path]:
    lines = (line.strip() for line in read_text(listing).splitlines())
    for line in (line for line in lines if line and not line.startswith("#")):
        path = listing.parent / line
        if not path.is_file():
            raise CourseError(f"{listing}: the bank has no {line}; correct the list.")
        yield path


def _exercises(folder: Path | None, course: Course, wanted: str) -> Iterator[tuple[Path, str]]:
    """The folders that hold solutions, each with its assignment."""
    assignments = {name: course.exercises(name) for name in course.assignments()}
    for name, bank in banks(folder, course).items():
        for exercise in _folders(bank) if wanted in ("", name) else ():
            if f"test_{exercise.name}" not in assignments[name]:
                raise CourseError(f"{exercise}: {name} has no exercise {exercise.name}; rename the folder.")
            yield exercise, name
    for child in (path for path in _folders(folder) if path.name not in assignments) if folder else ():
        owner = _owner(child, assignments, wanted)
        if wanted in ("", owner):
            yield child, owner


def _folders(bank: Path) -> list[Path]:
    return [path for path in find(bank, "*") if path.is_dir() and path.name != CHEATS]


def _owner(folder: Path, assignments: dict[str, dict[str, str]], wanted: str) -> str:
    """The one assignment that has an exercise of this folder's name."""
    owners = [name for name, exercises in assignments.items() if f"test_{folder.name}" in exercises]
    if wanted in owners:
        return wanted
    if not owners:
        raise CourseError(f"{folder}: the course has no assignment and no exercise {folder.name}; rename the folder.")
    if len(owners) > 1:
        raise CourseError(f"{folder}: {' and '.join(owners)} have an exercise {folder.name}; choose with --assignment.")
    return owners[0]


def _read(path: Path, assignment: str, exercise: str) -> Solution:
    named = NAME.fullmatch(path.stem)
    if named is None or path.suffix != ".py":
        raise CourseError(f"{path}: name it <nn>_ok_<slug>.py or <nn>_bad_<slug>.py.")
    text = read_text(path)
    _check_compiles(path, text)
    says = settings(path, _head(text), KEYS)
    kills = frozenset(filter(None, re.split(r"[,\s]+", says[KILLS]))) if KILLS in says else None
    return Solution(path, assignment, exercise, named["kind"] == "ok", kills, says.get(MISCONCEPTION, ""))


def _head(text: str) -> str:
    """The comments that a file begins with."""
    return "\n".join(takewhile(lambda line: not line.strip() or line.startswith("#"), text.splitlines()))


def settings(path: Path, head: str, keys: tuple[str, ...]) -> dict[str, str]:
    """Return what the first comments of a file say of it.

    Raises:
        CourseError: For what is almost one of the keys, and for a key that says nothing.
    """
    found = {match["key"].lower(): match["value"] for match in SETTING.finditer(head)}
    for key in found.keys() - set(keys):
        near = difflib.get_close_matches(key, keys, 1, cutoff=0.8)
        if near:
            raise CourseError(f"{path}: `# {key}:` is not known; did you mean `# {near[0]}:`?")
    for key in found.keys() & set(keys):
        if not found[key].strip(" \t,"):
            raise CourseError(f"{path}: `# {key}:` says nothing; write something behind it, or delete the line.")
    return found


def _check_compiles(path: Path, text: str) -> None:
    """Refuse a cell that fails before it does anything: it fails every test, and proves none.

    Raises:
        CourseError: If it is one.
    """
    try:
        with warnings.catch_warnings(action="ignore"), suppress(SyntaxError):
            compile(text, path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
            return
        with warnings.catch_warnings(action="ignore"):  # perhaps it has a magic; five times as dear
            compile(TransformerManager().transform_cell(text), path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    except (SyntaxError, ValueError) as problem:
        raise CourseError(f"{path} does not compile ({problem}); correct it, for it fails all tests.") from None

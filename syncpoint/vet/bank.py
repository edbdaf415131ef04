"""The bank: its solutions, with the settings in each file's name and first lines."""

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

from ..core.variants import fill
from ..course.errors import CourseError
from ..course.folder import Course
from ..course.graders import PROMISES, Graders

NAME = re.compile(r"\d{2}_(?P<kind>ok|bad)_\w+")
CHEATS = "cheats"  # a folder of whole submissions; cheat_bank.py reads it
SETTING = re.compile(r"^#[ \t]*(?P<key>\w+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)
BREAKS, KILLS, MISCONCEPTION = KEYS = ("breaks", "kills", "misconception")
VALUE = re.compile(r"(^|: )(the )?values?\b")  # in `# breaks:`: what the exercise computes is wrong
LEFT_BEHIND = {".ipynb_checkpoints", "__pycache__"}  # by Jupyter and by Python
MISPLACED = "{}: this place is not searched; {}."
PLACE = "put it into <assignment>/<exercise>/ and name it <nn>_ok_<slug>.py or <nn>_bad_<slug>.py"


@dataclass(frozen=True)
class Solution:
    """One file of the bank: a possible solution cell of a student."""

    path: Path
    assignment: str
    exercise: str
    right: bool
    kills: frozenset[str] | None  # the tests that must fail, and no others; None if the file does not say
    # the section of docs/students/misconceptions.md that explains it; "" where the file does not say
    misconception: str = ""
    breaks: frozenset[int] = frozenset()  # the numbers of broken promises in promises.toml
    wrong_value: bool = False  # whether it computes something wrong, according to `# breaks:`

    @property
    def name(self) -> str:
        return f"{self.assignment}/{self.exercise}/{self.path.stem}"


def read_bank(folder: Path | None, course: Course) -> list[Solution]:
    """Return the solutions of the course's assignments in order.

    They are in a folder with one folder for each assignment, or in the banks of the course.

    Raises:
        CourseError: For a file or folder whose name fits nothing in the course.
    """
    check_bank(folder)
    for place, depth in [(folder, 3)] if folder else [(bank, 2) for bank in banks(None, course).values()]:
        check_places((path for path in find(place, "**/*") if not _in_place(path.relative_to(place), depth)), PLACE)
    return [
        _read(path, name, exercise.name, course.graders(name))
        for exercise, name in _exercises(folder, course)
        for path in find(exercise, "*")
        if _looks_like_one(path)
    ]


def banks(folder: Path | None, course: Course) -> dict[str, Path]:
    """Return the bank of each assignment: below ``folder``, or next to its graders, or raise CourseError."""
    if folder is None:
        places = [course.graders(name).bank for name in course.assignments()]
        return {place.parent.name: place for place in places if place.is_dir()}
    found = {path.name: path for path in find(folder, "*") if path.is_dir() and path.name != CHEATS}
    for name in found.keys() - set(course.assignments()):
        raise CourseError(f"{found[name]}: the course has no assignment {name}; rename the folder.")
    return found


def check_bank(folder: Path | None) -> None:
    if folder is not None and not folder.is_dir():
        raise CourseError(f"there is no bank {folder}: name a folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.")


def find(folder: Path, pattern: str) -> list[Path]:
    """Return the content of a folder of the bank in order, without files that tools leave behind."""
    return sorted(path for path in folder.glob(pattern) if LEFT_BEHIND.isdisjoint(path.relative_to(folder).parts))


def check_places(paths: Iterable[Path], advice: str) -> None:
    """Refuse a file that seems meant for the bank but is in a place that is not searched."""
    for path in sorted(paths):
        if path.is_file() and _looks_like_one(path):
            raise CourseError(MISPLACED.format(path, advice))


def read_text(path: Path) -> str:
    """Return the content of a file of the bank. Raises CourseError if it cannot be read as UTF-8."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise CourseError(f"{path} cannot be read as UTF-8 text ({problem}).") from None


def _in_place(path: Path, depth: int) -> bool:
    """Whether a path in the bank is a place of solutions or cheats."""
    return path.parts[0] == CHEATS or len(path.parts) == depth


def _looks_like_one(path: Path) -> bool:
    """Whether a file may have been meant as a solution or a cheat."""
    return path.suffix.lower() == ".py" or bool(NAME.fullmatch(path.stem))


def unbroken(solutions: Iterable[Solution], course: Course) -> list[str]:
    """Return a sentence for each promise of these exercises that no wrong solution breaks alone."""
    broken: dict[tuple[str, str], set[int]] = {}
    for solution in solutions:
        numbers = broken.setdefault((solution.assignment, solution.exercise), set())
        numbers |= solution.breaks if len(solution.breaks) == 1 else set()
    return [
        f"{assignment}/{exercise}: no wrong solution breaks only promise {number}: {text}"
        for (assignment, exercise), numbers in broken.items()
        for number, text in enumerate(course.graders(assignment).promises().get(exercise, ()), 1)
        if number not in numbers
    ]


def _exercises(folder: Path | None, course: Course) -> Iterator[tuple[Path, str]]:
    """Yield the folders with solutions, each with its assignment."""
    for name, bank in banks(folder, course).items():
        exercises = course.source(name).exercises()
        for exercise in (path for path in find(bank, "*") if path.is_dir() and path.name != CHEATS):
            if f"test_{exercise.name}" not in exercises:
                raise CourseError(f"{exercise}: {name} has no exercise {exercise.name}; rename the folder.")
            yield exercise, name


def _read(path: Path, assignment: str, exercise: str, graders: Graders) -> Solution:
    named = NAME.fullmatch(path.stem)
    if named is None or path.suffix != ".py":
        raise CourseError(f"{path}: name it <nn>_ok_<slug>.py or <nn>_bad_<slug>.py.")
    text, promises = read_text(path), graders.promises().get(exercise, ())
    _check_compiles(path, fill(text, graders.settings().variants.number()))
    says = settings(path, _head(text), KEYS)
    kills = frozenset(_words(says[KILLS])) if KILLS in says else None
    breaks = _words(says.get(BREAKS, "")) if promises else []
    if not all(number.isdecimal() and 1 <= int(number) <= len(promises) for number in breaks):
        raise CourseError(f"{path}: `# {BREAKS}:` names promises of {PROMISES} by number, from 1 to {len(promises)}.")
    misconception, numbers = says.get(MISCONCEPTION, ""), frozenset(map(int, breaks))
    broken = [promises[number - 1] for number in numbers] if promises else [says.get(BREAKS, "")]
    wrong_value = any(map(VALUE.search, broken))
    return Solution(path, assignment, exercise, named["kind"] == "ok", kills, misconception, numbers, wrong_value)


def _words(text: str) -> list[str]:
    return [word for word in re.split(r"[,\s]+", text) if word]


def _head(text: str) -> str:
    return "\n".join(takewhile(lambda line: not line.strip() or line.startswith("#"), text.splitlines()))


def settings(path: Path, head: str, keys: tuple[str, ...]) -> dict[str, str]:
    """Return the settings in the first comments of a file, or raise CourseError."""
    found = {match["key"].lower(): match["value"] for match in SETTING.finditer(head)}
    for key in found.keys() - set(keys):
        near = difflib.get_close_matches(key, keys, 1, cutoff=0.8)
        if near:
            raise CourseError(f"{path}: `# {key}:` is unknown; did you mean `# {near[0]}:`?")
    for key in found.keys() & set(keys):
        if not found[key].strip(" \t,"):
            raise CourseError(f"{path}: `# {key}:` is empty; write something after it, or delete the line.")
    return found


def _check_compiles(path: Path, text: str) -> None:
    """Refuse a cell that cannot be compiled: it fails every test, and proves none."""
    try:
        with warnings.catch_warnings(action="ignore"), suppress(SyntaxError):
            compile(text, path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
            return
        with warnings.catch_warnings(action="ignore"):  # it may contain a magic; parsing that takes five times as long
            compile(TransformerManager().transform_cell(text), path, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, True)
    except (SyntaxError, ValueError) as problem:
        raise CourseError(f"{path} does not compile ({problem}) and would fail all tests; correct it.") from None

"""The bank: which solutions there are, and what each says of itself by its name and its first lines."""

import difflib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..judge.course import Course, CourseError

NAME = re.compile(r"\d{2}_(?P<kind>ok|bad)_\w+")
CHEATS = "cheats"  # a folder of whole submissions; cheats.py reads it
SETTING = re.compile(r"^#[ \t]*(?P<key>\w+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)
KILLS, MISCONCEPTION = KEYS = ("kills", "misconception")
MISPLACED = "{}: nothing is looked for there; {}."
PLACE = "put it into <assignment>/<exercise>/ and name it <nn>_ok_<slug>.py or <nn>_bad_<slug>.py"


@dataclass(frozen=True)
class Solution:
    """One file of the bank: what one student might write into the solution cell of an exercise.

    kills: the tests that must fail, and only those; None where the file does not say.
    misconception: the section of docs/misconceptions.md that explains it; "" where the file does not say.
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


def read_bank(folder: Path, course: Course, assignment: str = "", exercises: tuple[str, ...] = ()) -> list[Solution]:
    """The solutions below ``folder``, in order; of one assignment and of some exercises only, if they are named.

    Raises CourseError for a file or folder whose name fits nothing in the course, and if nothing is left to vet.
    """
    if not folder.is_dir():
        raise CourseError(f"there is no bank {folder}: name a folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.")
    folders = [
        (exercise, name)
        for exercise, name in _exercises(folder, course, assignment)
        if not exercises or exercise.name in exercises
    ]
    unknown = sorted(set(exercises) - {exercise.name for exercise, _ in folders})
    if unknown:
        raise CourseError(f"the bank has no exercise {', '.join(unknown)}; look into {folder} for how it is written.")
    assignments = course.assignments()
    check_places((path for path in folder.rglob("*") if not _in_place(path.relative_to(folder), assignments)), PLACE)
    found = [
        _read(path, name, exercise.name)
        for exercise, name in folders
        for path in sorted(exercise.iterdir())
        if _looks_like_one(path)
    ]
    if not found:
        raise CourseError(f"nothing to vet: there is no solution below {folder}, or none of what you named.")
    return found


def check_places(paths: Iterable[Path], advice: str) -> None:
    """Raises CourseError, with advice, for a file that was meant for the bank and lies where nothing is looked for."""
    for path in sorted(paths):
        if path.is_file() and _looks_like_one(path):
            raise CourseError(MISPLACED.format(path, advice))


def read_text(path: Path) -> str:
    """What a file of the bank holds.  Raises CourseError."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CourseError(f"{path} cannot be read as a text in UTF-8 ({problem}).") from None


def _in_place(path: Path, assignments: list[str]) -> bool:
    """Whether a path, from the bank on, is where solutions lie, or among the cheats."""
    return path.parts[0] == CHEATS or len(path.parts) == (3 if path.parts[0] in assignments else 2)


def _looks_like_one(path: Path) -> bool:
    """Whether somebody may have meant a file to be a solution or a cheat."""
    return path.suffix.lower() == ".py" or bool(NAME.fullmatch(path.stem))


def only_listed(solutions: list[Solution], listing: Path) -> list[Solution]:
    """Those that a file names, one ``<assignment>/<exercise>/<file>`` a line; lines that start with # say why.

    Raises CourseError for a name that is not in the bank.
    """
    lines = [line.strip() for line in read_text(listing).splitlines()]
    wanted = {line.removesuffix(".py") for line in lines if line and not line.startswith("#")}
    unknown = sorted(wanted - {solution.name for solution in solutions})
    if unknown:
        raise CourseError(f"{listing}: the bank has no {', '.join(unknown)}; correct the list.")
    return [solution for solution in solutions if solution.name in wanted]


def _exercises(folder: Path, course: Course, wanted: str) -> Iterator[tuple[Path, str]]:
    """The folders that hold solutions, each with its assignment."""
    assignments = {name: course.exercises(name) for name in course.assignments()}
    for child in sorted(path for path in folder.iterdir() if path.is_dir() and path.name != CHEATS):
        if child.name not in assignments:
            owner = _owner(child, assignments, wanted)
            if wanted in ("", owner):
                yield child, owner
            continue
        if wanted in ("", child.name):
            for exercise in sorted(path for path in child.iterdir() if path.is_dir()):
                if f"test_{exercise.name}" not in assignments[child.name]:
                    raise CourseError(f"{exercise}: {child.name} has no exercise {exercise.name}; rename the folder.")
                yield exercise, child.name


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
    says = _settings(path)
    kills = frozenset(filter(None, re.split(r"[,\s]+", says[KILLS]))) if KILLS in says else None
    return Solution(path, assignment, exercise, named["kind"] == "ok", kills, says.get(MISCONCEPTION, ""))


def _settings(path: Path) -> dict[str, str]:
    """What the comments of a solution say of it.  Raises CourseError for what is almost one of their keys."""
    found = {match["key"].lower(): match["value"] for match in SETTING.finditer(read_text(path))}
    for key in found.keys() - set(KEYS):
        near = difflib.get_close_matches(key, KEYS, 1, cutoff=0.8)
        if near:
            raise CourseError(f"{path}: `# {key}:` is not known; did you mean `# {near[0]}:`?")
    return found

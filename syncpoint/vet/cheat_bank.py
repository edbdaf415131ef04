"""The bank of cheats: finds and runs its files, one cheat each, and checks them against the course."""

import re
import runpy
from pathlib import Path

from ..core.results import exercise_name
from ..course.cells import grade_id
from ..course.errors import CourseError
from ..course.folder import Course
from ..judge.cells import is_autograded
from .bank import CHEATS, banks, check_bank, check_places, find, read_text
from .cheat import Cheat

NAME = re.compile(r"\d+_\w+")
PLACE = f"put a cheat into {CHEATS}/<kind>/ and name it <nn>_<slug>.py"
WRONG_BANK = "{}: it is a cheat for {}, but is in the bank of {}; move it."
START = "{}: write `cheat = Cheat(<assignment>, deserves={{<exercise>: <points>, ...}})`, with a Cheat of {}."


def read_cheats(folder: Path | None, course: Course) -> list[Cheat]:
    """Return the cheats in order, from ``cheats/`` in a folder or from the banks of the course.

    Their files are run, as graders are.

    Raises:
        CourseError: For one that fails, or names what the course does not have.
    """
    check_bank(folder)
    maxima = {name: _maxima(course, name) for name in course.assignments()}
    cheats = []
    for owner, bank in {"": folder}.items() if folder else banks(None, course).items():
        found = find(bank / CHEATS, "*/*")
        paths = [path for path in found if path.suffix == ".py" and NAME.fullmatch(path.stem)]
        check_places(set(find(bank / CHEATS, "**/*")) - set(paths), PLACE)
        for cheat in map(_read, paths):
            _check(cheat, maxima)
            if owner not in ("", cheat.assignment):
                raise CourseError(WRONG_BANK.format(cheat.path, cheat.assignment, owner))
            cheats.append(cheat)
    return cheats


def _maxima(course: Course, assignment: str) -> dict[str, float]:
    return {
        exercise_name(grade_id(cell)): float(cell.metadata.nbgrader.points)
        for notebook in sorted(set(course.source(assignment).exercises().values()))
        for cell in course.source(assignment).notebook(notebook).cells
        if is_autograded(cell)
    }


def _read(path: Path) -> Cheat:
    read_text(path)
    try:
        cheat = runpy.run_path(str(path)).get("cheat")
    except Exception as problem:
        raise CourseError(f"{path} does not run ({type(problem).__name__}: {problem}); correct it.") from None
    if not isinstance(cheat, Cheat):
        raise CourseError(START.format(path, Cheat.__module__))
    cheat.path = path
    return cheat


def _check(cheat: Cheat, maxima: dict[str, dict[str, float]]) -> None:
    """Refuse names that do not exist in the course."""
    if cheat.assignment not in maxima or not cheat.deserves:
        raise CourseError(START.format(cheat.path, Cheat.__module__))
    if not cheat.does_something:
        raise CourseError(f"{cheat.path} has no step; add one, such as `cheat.cell(<exercise>, <source>)`.")
    points = maxima[cheat.assignment]
    unknown = {*cheat.deserves, *cheat.solves} - points.keys()
    if unknown:
        raise CourseError(f"{cheat.path}: {cheat.assignment} has no exercise {', '.join(sorted(unknown))}.")
    for exercise in cheat.deserves:
        share = cheat.share(exercise)
        if share.points > points[exercise]:
            raise CourseError(f"{cheat.path}: {exercise} has {points[exercise]:g} points; nobody deserves {share}.")

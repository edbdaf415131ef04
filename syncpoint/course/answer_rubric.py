"""The rubric of a written answer: criteria with points, in ``grader_tests/<assignment>/rubrics/<cell>.toml``.

They are with the graders, because files next to the notebooks in ``source/`` go to students.
"""

import math
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..core.names import some
from .errors import RubricError
from .folder import Course

MET, NOT_MET = "[x]", "[ ]"
LINE = re.compile(r"(?P<mark>\[[x ]\]) (?P<text>.+) \((?P<earned>[\d.]+) of (?P<points>[\d.]+)\)")
ROUNDED = 1e-3  # rounding allowed in a line of a comment


@dataclass(frozen=True)
class Criterion:
    """A criterion that an answer can meet."""

    text: str  # the criterion's text for the student
    points: float  # the points for meeting it

    def line(self, met: bool) -> str:
        return f"{MET if met else NOT_MET} {self.text} ({self.points if met else 0:g} of {self.points:g})"


@dataclass(frozen=True)
class Rubric:
    """All criteria of one written answer."""

    criteria: tuple[Criterion, ...]

    def points(self, met: Collection[int]) -> float:
        """Return the points of the criteria with these numbers, counted from 0."""
        return sum(self.criteria[number].points for number in met)

    def check(self, cell: str, points: float) -> None:
        """Raise RubricError unless the criteria have the points of their cell."""
        most = self.points(range(len(self.criteria)))
        if abs(most - points) > 1e-9:
            raise RubricError(
                f"the criteria of {cell} add up to {most:g} points, but the cell has {points:g}: fix the rubric."
            )

    def comment(self, met: Collection[int], note: str = "") -> str:
        """Return the comment for the student: a line for each criterion, and a note."""
        lines = [criterion.line(number in met) for number, criterion in enumerate(self.criteria)]
        return "\n".join([*lines, *filter(None, [note.strip()])])

    def read(self, comment: str) -> tuple[set[int], str]:
        """Return the numbers of the criteria, known by text, that a comment marks as met, and the rest of it."""
        numbers = {criterion.text: number for number, criterion in enumerate(self.criteria)}
        met, rest = set[int](), list[str]()
        for line in comment.splitlines():
            known = LINE.fullmatch(line)
            if known is None or known["text"] not in numbers:
                rest.append(line)
            elif known["mark"] == MET:
                met.add(numbers[known["text"]])
        return met, "\n".join(rest)

    def is_outdated(self, comment: str, score: float) -> bool:
        """Whether exactly these criteria gave this score and comment, when some had other points."""
        lines = [LINE.fullmatch(line) for line in comment.splitlines()[: len(self.criteria)]]
        given = {line["text"]: line for line in lines if line is not None}
        if set(given) != {criterion.text for criterion in self.criteria}:
            return False
        try:
            earned = sum(float(line["earned"]) for line in given.values())
            points = [float(given[criterion.text]["points"]) for criterion in self.criteria]
        except ValueError:  # a person has written the line
            return False
        changed = (abs(one - criterion.points) > ROUNDED for one, criterion in zip(points, self.criteria, strict=True))
        return abs(earned - score) <= ROUNDED and any(changed)


def read_rubrics(course: Course, assignment: str) -> tuple[dict[str, Rubric], list[RubricError]]:
    """Return an assignment's rubrics by cell, and the problem of each unusable file."""
    found, wrong = {}, []
    for path in sorted(_folder(course, assignment).glob("*.toml")):
        try:
            found[path.stem] = _read(path)
        except RubricError as problem:
            wrong.append(problem)
    return found, wrong


def check_rubrics(course: Course, assignment: str) -> tuple[dict[str, Rubric], list[RubricError]]:
    """Do as `read_rubrics`, and also check that rubrics have the points of their cells."""
    read, wrong = read_rubrics(course, assignment)
    cells = course.source(assignment).written_answers() if read else {}
    found = {}
    for cell, rubric in read.items():
        try:
            _check(rubric, assignment, cell, cells)
        except RubricError as problem:
            wrong.append(RubricError(f"{_folder(course, assignment) / cell}.toml: {problem}"))
        else:
            found[cell] = rubric
    return found, wrong


def _check(rubric: Rubric, assignment: str, cell: str, cells: Mapping[str, float]) -> None:
    """Raise RubricError unless a written answer has this rubric's points."""
    if cell not in cells:
        raise RubricError(f"source/{assignment} has no written answer {cell}: it has {some(cells) or 'none'}.")
    rubric.check(cell, cells[cell])


def _folder(course: Course, assignment: str) -> Path:
    return course.graders(assignment).folder / "rubrics"


def _read(path: Path) -> Rubric:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise RubricError(f"{path} cannot be read: {problem}.") from None
    listed = data.get("criteria")
    if set(data) != {"criteria"} or not isinstance(listed, list) or not listed:
        raise RubricError(f"{path} must contain [[criteria]], each with text and points, and nothing else.")
    rubric = Rubric(tuple(_criterion(one, f"{path}, criterion {n}") for n, one in enumerate(listed, 1)))
    if len({criterion.text for criterion in rubric.criteria}) < len(rubric.criteria):
        raise RubricError(f"{path}: two criteria have the same text.")
    return rubric


def _criterion(data: object, where: str) -> Criterion:
    if not isinstance(data, dict) or set(data) != {"text", "points"}:
        raise RubricError(f"{where} must have text and points, and nothing else.")
    text, points = data["text"], data["points"]
    if not isinstance(text, str) or not text.strip() or "\n" in text.strip():
        raise RubricError(f"{where}: text must be one line.")
    if type(points) not in (int, float) or not (math.isfinite(points) and points > 0):
        raise RubricError(f"{where}: points must be a number above 0.")
    return Criterion(text.strip(), float(points))

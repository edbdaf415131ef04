"""The bank of cheats: submissions that want points without the work, and what each honestly deserves."""

import re
from dataclasses import dataclass
from pathlib import Path

from ..demo.papers import Papers, grade_id
from ..judge.course import Course, CourseError
from ..judge.submission import is_autograded
from .bank import CHEATS, check_bank, check_places, find, read_text, settings
from .cheat_parts import PARTS, Part

NAME = re.compile(r"\d+_\w+")
PART = re.compile(r"^#[ \t]*%%[ \t]*(?P<what>\S*)[ \t]*(?P<where>.*?)[ \t]*$", re.MULTILINE)
KEYS = ("assignment", "deserves", "solves", "known")
PLACE = f"a cheat lies in {CHEATS}/<kind>/ and is named <nn>_<slug>.py"
START = "{}: start with `# assignment: <name>` and `# deserves: <exercise>=<points> ...`."
SHARE = re.compile(r"(?P<exercise>\w+)(?P<at_most><)?=(?P<points>\d+(?:\.\d+)?)")


@dataclass(frozen=True)
class Share:
    """What a cheat deserves in one exercise: so many points, or so many at most where it may harm itself."""

    points: float
    at_most: bool

    def __str__(self) -> str:
        return f"{'at most ' if self.at_most else ''}{self.points:g}"


@dataclass(frozen=True)
class Cheat:
    """One file of the bank.

    deserves: by exercise; nothing in all others.  solves: exercises that are solved honestly.  known: why this one
    pays all the same; "" where it must not.
    """

    path: Path
    assignment: str
    deserves: dict[str, Share]
    solves: tuple[str, ...]
    known: str
    parts: tuple[Part, ...]

    @property
    def kind(self) -> str:
        """The folder it lies in."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        """How reports name it."""
        return f"{self.kind}/{self.path.stem}"

    @property
    def student(self) -> str:
        """Whose submission it is."""
        return f"{self.kind}_{self.path.stem}"

    @property
    def cells(self) -> set[str]:
        """The ids of all cells that it is about."""
        placed = {part.where for part in self.parts if part.is_about_a_cell}
        return {*self.deserves, *self.solves, *placed}

    def hand_in(self, papers: Papers, solutions: dict[str, str], folder: Path) -> None:
        """Write the submission; ``papers`` are the released notebooks, ``solutions`` the instructor's cells.

        Raises CourseError for a part that does not fit the notebooks.
        """
        for exercise in self.solves:
            papers.cell(exercise).source = solutions[exercise]
        for part in self.parts:
            try:
                part.change(papers)
            except (StopIteration, ValueError) as problem:
                raise CourseError(f"{self.path}: `{part.what} {part.where}` does not fit ({problem!r}).") from None
        papers.write(folder)
        for part in self.parts:
            part.lay_beside(folder)


def read_cheats(folder: Path, course: Course, assignment: str = "") -> list[Cheat]:
    """The cheats below ``folder/cheats``, in order; those against one assignment only, if it is named.

    Raises CourseError for a file that cannot be read, or that names what the course does not have.
    """
    check_bank(folder)
    maxima = {name: _maxima(course, name) for name in course.assignments()}
    paths = [path for path in find(folder / CHEATS, "*/*") if path.suffix == ".py" and NAME.fullmatch(path.stem)]
    check_places(set(find(folder / CHEATS, "**/*")) - set(paths), PLACE)
    cheats = [_read(path) for path in paths]
    for cheat in cheats:
        _check(cheat, maxima)
    return [cheat for cheat in cheats if assignment in ("", cheat.assignment)]


def _maxima(course: Course, assignment: str) -> dict[str, float]:
    """The exercises of an assignment, and how many points each has."""
    return {
        grade_id(cell).removeprefix("test_"): float(cell.metadata.nbgrader.points)
        for notebook in sorted(set(course.exercises(assignment).values()))
        for cell in course.reference(assignment, notebook).cells
        if is_autograded(cell)
    }


def _read(path: Path) -> Cheat:
    text = read_text(path)
    places = list(PART.finditer(text))
    starts = [*(place.start() for place in places), len(text)]
    says = settings(path, text[: starts[0]], KEYS)
    shares = says.get("deserves", "").split()
    matches = [SHARE.fullmatch(share) for share in shares]
    if not matches or not all(matches):
        raise CourseError(START.format(path))
    return Cheat(
        path,
        says.get("assignment", ""),
        {m["exercise"]: Share(float(m["points"]), bool(m["at_most"])) for m in matches if m},
        tuple(says.get("solves", "").split()),
        says.get("known", ""),
        tuple(
            Part(place["what"], place["where"], text[place.end() : end].strip("\n") + "\n")
            for place, end in zip(places, starts[1:], strict=True)
        ),
    )


def _check(cheat: Cheat, maxima: dict[str, dict[str, float]]) -> None:
    """Raises CourseError for what fits nothing in the course; ``maxima`` are the points of all its exercises."""
    if cheat.assignment not in maxima:
        raise CourseError(START.format(cheat.path))
    for part in cheat.parts:
        if part.what not in PARTS:
            raise CourseError(f"{cheat.path}: `# %% {part.what}` is not known; there are {', '.join(PARTS)}.")
    if not cheat.parts and not cheat.solves:
        raise CourseError(f"{cheat.path} does nothing; add a part, such as `# %% cell <exercise>`.")
    points = maxima[cheat.assignment]
    unknown = {*cheat.deserves, *cheat.solves} - points.keys()
    if unknown:
        raise CourseError(f"{cheat.path}: {cheat.assignment} has no exercise {', '.join(sorted(unknown))}.")
    for exercise, share in cheat.deserves.items():
        if share.points > points[exercise]:
            raise CourseError(f"{cheat.path}: {exercise} has {points[exercise]:g} points; nobody deserves {share}.")

"""The bank of cheats: submissions that want points without the work, and what each honestly deserves."""

import re
from dataclasses import dataclass
from pathlib import Path

from ..demo.papers import Papers
from ..judge.course import Course, CourseError
from .bank import CHEATS, check_places, read_text
from .cheat_parts import PARTS, Part

PART = re.compile(r"^# %% *(?P<what>\w+) *(?P<where>.*?) *$", re.MULTILINE)
SETTING = re.compile(r"^# (?P<key>assignment|deserves|solves|known): *(?P<value>.*?) *$", re.MULTILINE)
PLACE = f"a cheat lies in {CHEATS}/<kind>/ and is named <nn>_<slug>.py"
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
    exercises = {
        name: {exercise.removeprefix("test_") for exercise in course.exercises(name)} for name in course.assignments()
    }
    paths = sorted(path for path in (folder / CHEATS).glob("*/*") if path.suffix == ".py")
    check_places(set((folder / CHEATS).rglob("*")) - set(paths), PLACE)
    cheats = [_read(path, exercises) for path in paths]
    return [cheat for cheat in cheats if assignment in ("", cheat.assignment)]


def _read(path: Path, exercises: dict[str, set[str]]) -> Cheat:
    text = read_text(path)
    places = list(PART.finditer(text))
    starts = [*(place.start() for place in places), len(text)]
    head = text[: starts[0]]
    settings = {found["key"]: found["value"] for found in SETTING.finditer(head)}
    assignment, shares = settings.get("assignment", ""), settings.get("deserves", "").split()
    matches = [SHARE.fullmatch(share) for share in shares]
    if assignment not in exercises or not matches or not all(matches):
        raise CourseError(f"{path}: start with `# assignment: <name>` and `# deserves: <exercise>=<points> ...`.")
    cheat = Cheat(
        path,
        assignment,
        {m["exercise"]: Share(float(m["points"]), bool(m["at_most"])) for m in matches if m},
        tuple(settings.get("solves", "").split()),
        settings.get("known", ""),
        tuple(
            Part(place["what"], place["where"], text[place.end() : end].strip("\n") + "\n")
            for place, end in zip(places, starts[1:], strict=True)
        ),
    )
    for part in cheat.parts:
        if part.what not in PARTS:
            raise CourseError(f"{path}: `# %% {part.what}` is not known; there are {', '.join(PARTS)}.")
    unknown = {*cheat.deserves, *cheat.solves} - exercises[assignment]
    if unknown:
        raise CourseError(f"{path}: {assignment} has no exercise {', '.join(sorted(unknown))}.")
    return cheat

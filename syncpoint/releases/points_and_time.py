"""Adds points and time to a release: points at each exercise, the total and the time at the beginning.

No source says them.  They are those of the cells, and of assignment.toml.  The beginning also names AGENTS.md.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

import nbformat
from markdown_it import MarkdownIt
from nbformat import NotebookNode
from nbgrader import utils

from ..core.language import speaking
from ..core.messages import say
from ..course.cells import grade_id
from ..course.folder import Course
from ..course.intake import METADATA
from ..translations.blocks import instructors_lines
from ..translations.catalogue import spoken

BEGINNING = "how-to-work"  # the id of the cell that shows the total; without it, the first text cell does
_parser = MarkdownIt("commonmark")


@dataclass
class Exercise:
    """An exercise of a notebook."""

    # the cells with its question: those before its first answer; a task contains its own
    texts: list[NotebookNode] = field(default_factory=list)
    titles: int = 0  # number of the notebook's own headings
    # the names of the cells in which students write, except those with points
    answers: list[str] = field(default_factory=list)
    graded: str = ""  # the name of its first cell with points, possibly 0; "" if none has
    points: float | None = 0  # points of its cells; None if cell names do not show which cells belong to it

    @property
    def begun(self) -> bool:
        """Whether something follows its texts."""
        return bool(self.answers or self.graded)

    @property
    def name(self) -> str:
        """The exercise's name, from its cells' names without their kind."""
        return self.graded.removeprefix("test_") or next(iter(self.answers), "")

    def add(self, cell: NotebookNode, sure: bool = True) -> None:
        """Add a cell that has points or may belong to the exercise."""
        self.graded = self.graded or grade_id(cell)
        self.points = self.points + _points(cell) if sure and self.points is not None else None

    def names(self, what: str) -> bool:
        return any(f"`{what}`" in heading for cell in self.texts for _, _, heading in headings(cell))

    def place(self) -> tuple[NotebookNode, int]:
        """Return where to show an exercise's points, as cell and line: after the heading that names it, else last."""
        found = [(cell, end, f"`{self.name}`" in heading) for cell in self.texts for _, end, heading in headings(cell)]
        named = [(cell, end) for cell, end, names in found if names]
        if named:
            return named[-1]
        if len(found) > self.titles:
            return found[-1][:2]
        cell = self.texts[-1]
        return cell, max((end for _, end, _ in headings(cell)), default=0)


def add_points_and_time(course: Course, assignment: str, notebook: NotebookNode) -> None:
    """Write points and time into a source in its language, or raise CourseError."""
    minutes = course.graders(assignment).settings().minutes
    books = [nbformat.read(path, as_version=4) for path in sorted(course.source(assignment).folder.glob("*.ipynb"))]
    with speaking(spoken(course, notebook.metadata.get(METADATA, ""), assignment)):
        for exercise in exercises(notebook):
            if exercise.points is not None:
                code = "worth" if exercise.points else "worth_nothing"
                _insert(*exercise.place(), f"**{say(code, points=exercise.points)}**")
        first, *more = [*_total(notebook, books), *_time(minutes)] or [""]
        texts = [cell for cell in notebook.cells if is_text(cell)]
        if first and texts:
            more.append(say("assistants"))
            cell = next((cell for cell in texts if cell.get("id") == BEGINNING), texts[0])
            ends = [begin for begin, _, _ in headings(cell)[1:]] or [cell.source.count("\n") + 1]
            _insert(cell, ends[0], f"**{first}** {_joined(more)}".rstrip())


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """Return a notebook's exercises with a text, in order."""
    found = [Exercise()]
    together = found[:]  # exercises whose tests may follow together, in any order
    tested = False  # whether nothing follows the last cell with points
    for cell in notebook.cells:
        asks = is_text(cell) or (_has_points(cell) and _asks(cell))
        here = found[-1]
        if asks and (tested or (here.begun and (headings(cell) or _has_points(cell)))):
            here = Exercise()
            found.append(here)
            together = [here] if tested else [*together, here]
        tested = _has_points(cell) or (tested and not asks and not utils.is_solution(cell))
        if asks and not here.begun:
            here.texts.append(cell)
        if not _has_points(cell):
            here.answers += [grade_id(cell)] if utils.is_solution(cell) else []
        elif asks or utils.is_solution(cell):
            here.add(cell)
        else:
            tests = _tested(grade_id(cell).removeprefix("test_"), found, together)
            for exercise in tests:
                exercise.add(cell, sure=len(tests) == 1)
    asked = [exercise for exercise in found if exercise.texts and exercise.begun]
    for first in asked[:1]:
        first.titles = 1
    return asked


def _tested(name: str, found: list[Exercise], together: list[Exercise]) -> list[Exercise]:
    """Return the exercise of a test with this name; several if the name is ambiguous."""
    answered = [exercise for exercise in found if name in exercise.answers]
    named = [exercise for exercise in found if exercise.names(name)]
    return answered[-1:] or named[-1:] or [exercise for exercise in together if exercise.begun] or together[-1:]


def points(notebook: NotebookNode) -> float:
    return sum(map(_points, notebook.cells))


def headings(cell: NotebookNode) -> list[tuple[int, int, str]]:
    """Return the headings that students see: the first line, the line after it, and the text."""
    tokens, hidden = _parser.parse(cell.source), instructors_lines(cell.source)
    return [
        (token.map[0], token.map[1], text.content)
        for token, text in pairwise(tokens)
        if token.type == "heading_open" and not token.level and token.map and token.map[0] not in hidden
    ]


def _total(notebook: NotebookNode, books: list[NotebookNode]) -> Iterator[str]:
    total = sum(map(points, books))
    if total:
        yield say("worth_in_all", points=total)
        if len(books) > 1:
            yield say("worth_here", points=points(notebook))


def _time(minutes: int | None) -> Iterator[str]:
    if minutes is not None and minutes >= 60 and not minutes % 30:
        yield say("takes_hours", hours=minutes / 60)
    elif minutes is not None:
        yield say("takes_minutes", minutes=minutes)


def _joined(sentences: list[str]) -> str:
    return "".join(text if text.endswith("\u3002") else f"{text} " for text in sentences)


def _insert(cell: NotebookNode, line: int, paragraph: str) -> None:
    lines = cell.source.split("\n")
    before, after = "\n".join(lines[:line]).rstrip("\n"), "\n".join(lines[line:]).lstrip("\n")
    cell.source = "\n\n".join(filter(None, (before, paragraph, after)))


def is_text(cell: NotebookNode) -> bool:
    """Whether a cell is a text without points that students do not write."""
    return cell.cell_type == "markdown" and not utils.is_solution(cell) and not _has_points(cell)


def _asks(cell: NotebookNode) -> bool:
    """Whether a cell with points contains its own instructions: a task, or the visible part of an answer."""
    if utils.is_task(cell):
        return True
    lines = cell.source.split("\n")
    seen = [line for number, line in enumerate(lines) if number not in instructors_lines(cell.source)]
    # Without a solution region, nbgrader removes the whole cell.
    return cell.cell_type == "markdown" and "### BEGIN SOLUTION" in cell.source and any(map(str.strip, seen))


def _has_points(cell: NotebookNode) -> bool:
    return bool(utils.is_grade(cell) or utils.is_task(cell))


def _points(cell: NotebookNode) -> float:
    try:
        return float(cell.metadata.nbgrader.get("points", 0)) if _has_points(cell) else 0
    except (TypeError, ValueError):  # nbgrader reports this next
        return 0

"""What a release says of points and time: at each exercise its points, at the beginning the total and the time.

No source says them.  They are those of the cells, and of assignment.toml.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import nbformat
from markdown_it import MarkdownIt
from nbformat import NotebookNode
from nbgrader import utils

from ..core.language import speaking
from ..core.messages import say
from ..course.folder import Course
from ..course.intake import METADATA
from ..translations.blocks import instructors_lines
from ..translations.catalogue import spoken

BEGINNING = "how-to-work"  # the id of the cell that gets the total; where there is none, the first text does
_parser = MarkdownIt("commonmark")


@dataclass
class Exercise:
    """An exercise of a notebook.

    Attributes:
        texts: The cells that ask for it: those between the exercise before and its answer.
        name: As its cells are called, without what says their kind.
        points: Of its cells.
        graded: Whether a cell gives points for it, be it 0.
        titles: How many of the headings are the notebook's.
    """

    texts: list[NotebookNode]
    name: str
    points: float
    graded: bool
    titles: int = 0

    def place(self) -> tuple[NotebookNode, int]:
        """Where its points are said: the cell and the line; behind the heading that names it, else the last one."""
        found = [(cell, end, f"`{self.name}`" in said) for cell in self.texts for _, end, said in headings(cell)]
        named = [(cell, end) for cell, end, names in found if names]
        if named:
            return named[-1]
        if len(found) > self.titles:
            return found[-1][:2]
        cell = self.texts[-1]
        return cell, max((end for _, end, _ in headings(cell)), default=0)


def say_worth(course: Course, assignment: str, notebook: NotebookNode) -> None:
    """Write points and time into a source, in the language that it is in.

    Raises:
        CourseError: If what the assignment says of itself cannot be used.
    """
    minutes = course.assignment(assignment).minutes
    books = [nbformat.read(path, as_version=4) for path in sorted(course.source_folder(assignment).glob("*.ipynb"))]
    with speaking(spoken(course, notebook.metadata.get(METADATA, ""), assignment)):
        for exercise in exercises(notebook):
            code = "worth" if exercise.points else "worth_nothing"
            _insert(*exercise.place(), f"**{say(code, points=exercise.points)}**")
        first, *more = [*_total(notebook, books), *_time(minutes)] or [""]
        texts = [cell for cell in notebook.cells if _is_text(cell)]
        if first and texts:
            cell = next((cell for cell in texts if cell.get("id") == BEGINNING), texts[0])
            ends = [begin for begin, _, _ in headings(cell)[1:]] or [cell.source.count("\n") + 1]
            _insert(cell, ends[0], f"**{first}** {_joined(more)}".rstrip())


def exercises(notebook: NotebookNode) -> list[Exercise]:
    """The exercises of a notebook, in their order; what no text asks for belongs to the one before."""
    found: list[Exercise] = []
    for exercise in _each(notebook.cells):
        before = found[-1] if found else None
        if before is not None and not (exercise.texts if before.graded else any(map(headings, exercise.texts))):
            before.points, before.graded = before.points + exercise.points, before.graded or exercise.graded
        elif exercise.texts:
            found.append(replace(exercise, titles=0 if found else 1))
    return found


def points(notebook: NotebookNode) -> float:
    """The points of all its cells."""
    return sum(map(_points, notebook.cells))


def headings(cell: NotebookNode) -> list[tuple[int, int, str]]:
    """Those of a text that students see: the first line, the one behind it, and what it says."""
    tokens, hidden = _parser.parse(cell.source), instructors_lines(cell.source)
    return [
        (token.map[0], token.map[1], text.content)
        for token, text in pairwise(tokens)
        if token.type == "heading_open" and not token.level and token.map and token.map[0] not in hidden
    ]


def _each(cells: list[NotebookNode]) -> Iterator[Exercise]:
    """What lies between two cells that give points, or between answers that nobody gives points for."""
    answers = {_name(cell) for cell in cells if utils.is_solution(cell) and not _has_points(cell)}
    tests = [_name(cell).removeprefix("test_") if _has_points(cell) else "" for cell in cells]
    texts: list[NotebookNode] = []
    answered = False
    for place, cell in enumerate(cells):
        if _has_points(cell):
            yield Exercise(texts, tests[place], _points(cell), graded=True)
        elif utils.is_solution(cell):
            answered = True
            after = next(filter(None, tests[place:]), None)
            if _name(cell) in tests or after not in (None, *answers):
                continue
            yield Exercise(texts, _name(cell), 0, graded=False)
        else:
            if _is_text(cell) and not answered:
                texts.append(cell)
            continue
        texts, answered = [], False


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
    """Put a paragraph before a line of a text."""
    lines = cell.source.split("\n")
    before, after = "\n".join(lines[:line]).rstrip("\n"), "\n".join(lines[line:]).lstrip("\n")
    cell.source = "\n\n".join(filter(None, (before, paragraph, after)))


def _is_text(cell: NotebookNode) -> bool:
    return cell.cell_type == "markdown" and not utils.is_solution(cell) and not _has_points(cell)


def _has_points(cell: NotebookNode) -> bool:
    return bool(utils.is_grade(cell) or utils.is_task(cell))


def _points(cell: NotebookNode) -> float:
    try:
        return float(cell.metadata.nbgrader.get("points", 0)) if _has_points(cell) else 0
    except (TypeError, ValueError):  # nbgrader says so in a moment
        return 0


def _name(cell: NotebookNode) -> str:
    return str(cell.metadata.nbgrader.get("grade_id", ""))

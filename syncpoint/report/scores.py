"""The table of a class: the points of each student in each exercise, from the gradebook."""

import os
from collections.abc import Collection
from dataclasses import dataclass, replace

from nbgrader.api import SubmittedAssignment
from rich import box
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from ..core.results import exercise_name
from ..course.folder import Course
from ..records.accommodations import excused
from ..records.gradebook import find_assignment, open_gradebook
from ..records.totals import percent, totals_or_error

PLAIN_WIDTH = 100  # columns for a pipe or a file, which has no width of its own
ENDLESS = 10_000  # wider than any table


@dataclass(frozen=True)
class Mark:
    """Points in one exercise."""

    points: float
    unread: bool  # a person still has to read the answer


@dataclass(frozen=True)
class Row:
    """One student."""

    student: str
    marks: dict[str, Mark]  # by exercise; empty if nothing was graded
    late: float = 0.0  # seconds
    penalty: float = 0.0  # points
    excused: bool = False  # the assignment does not count for the student

    @property
    def total(self) -> float:
        """Points of all exercises, less the penalty; never below 0."""
        return max(0.0, sum(mark.points for mark in self.marks.values()) - self.penalty)


@dataclass(frozen=True)
class ClassScores:
    """One assignment of one class."""

    assignment: str
    exercises: dict[str, float]  # their points, in the order of their cells
    rows: tuple[Row, ...]


def read_scores(course: Course, assignment: str, students: Collection[str] | None = None) -> ClassScores:
    """Return the scores of these students, or of everybody."""
    with open_gradebook(course) as gradebook:
        found = find_assignment(course, gradebook, assignment)
        cells = [cell for book in found.notebooks for cell in book.grade_cells]
        order = {name: place for place, name in enumerate(course.source(assignment).graded_cells())}
        cells.sort(key=lambda cell: order.get(cell.name, len(order)))
        rows = {student.id: Row(student.id, {}) for student in gradebook.students}
        exercises = {cell.name: cell.max_score for cell in cells}
        rows |= {s.student_id: _row(s) for s in gradebook.assignment_submissions(assignment)}
        rows |= {
            student: replace(rows[student], excused=True)
            for student, name in excused(gradebook.db())
            if name == assignment and student in rows
        }
    names = sorted(name for name in rows if students is None or name in students)
    return ClassScores(assignment, exercises, tuple(rows[n] for n in names))


def _row(submission: SubmittedAssignment) -> Row:
    marks = {
        grade.name: Mark(grade.score or 0.0, grade.needs_manual_grade)
        for notebook in submission.notebooks
        for grade in notebook.grades
    }
    penalty = sum(notebook.late_submission_penalty or 0.0 for notebook in submission.notebooks)
    return Row(submission.student_id, marks, submission.total_seconds_late, penalty)


def console() -> Console:
    """Return the console: a terminal of any width, or plain output."""
    usual = Console(highlight=False)
    sized = usual.is_terminal or os.environ.get("COLUMNS", "").isdigit()
    return usual if sized else Console(highlight=False, width=PLAIN_WIDTH)


def render(scores: ClassScores, width: int) -> Group:
    """Return the class as a table of ``width`` columns, with the meaning of its signs."""
    named = _table(scores, {name: exercise_name(name).replace("_", "\n") for name in scores.exercises})
    if Console(width=ENDLESS).measure(named).maximum <= width:
        return Group(named, *_legend(scores))
    numbers = {name: str(number) for number, name in enumerate(scores.exercises, 1)}
    meanings = "  ".join(f"{number}={exercise_name(name)}" for name, number in numbers.items())
    return Group(_table(scores, numbers), Text(meanings, "dim"), *_legend(scores))


def render_totals(course: Course) -> Table:
    """Render everybody's course total and certain points, or raise CourseError."""
    with open_gradebook(course) as gradebook:
        totals = totals_or_error(course, gradebook.db())
    names = list(dict.fromkeys(name for total in totals.values() if total for name in total.parts))
    table = Table("student", box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    for name in (*names, "total"):
        table.add_column(name, justify="right")
    for student, total in totals.items():
        parts = [total.parts.get(name) if total else None for name in names]
        cells = ["" if part is None else "excused" if part.excused else f"{100 * part.low:.3g}" for part in parts]
        open_ones = ["+" if part and part.high > part.low else "" for part in parts]
        table.add_row(Text(student), *map("".join, zip(cells, open_ones, strict=True)), percent(total))
    table.caption = "percent of the points; + may still grow"
    return table


def _table(scores: ClassScores, heads: dict[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, title_justify="left")
    table.title = f"{scores.assignment}: {len(scores.rows)} student{'' if len(scores.rows) == 1 else 's'}"
    table.add_column("student", no_wrap=True, overflow="ellipsis")
    for name in scores.exercises:
        table.add_column(heads[name], justify="right", no_wrap=True)
    table.add_column("total", justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)  # the sign of a total that may still grow
    best = sum(scores.exercises.values())
    table.add_row("[dim]max. points", *(f"[dim]{p:g}" for p in scores.exercises.values()), f"[dim]{best:g}", "")
    for row in scores.rows:
        table.add_row(*_cells(row, scores.exercises, best))
    return table


def _cells(row: Row, exercises: dict[str, float], best: float) -> list[Text]:
    name = Text(row.student)
    if row.excused:
        name.append(" excused", "cyan")
    elif row.late:
        name.append(" late", "yellow")
    if not row.marks:
        return [name, *(Text("·", "dim") for _ in exercises), Text("·", "dim"), Text()]
    open_answer = any(mark.unread for mark in row.marks.values())
    marks = [_mark(row.marks.get(exercise), most) for exercise, most in exercises.items()]
    return [name, *marks, _points(row.total, best), Text("+" if open_answer else "")]


def _mark(mark: Mark | None, most: float) -> Text:
    if mark is None:
        return Text("·", "dim")
    return Text("?", "cyan") if mark.unread else _points(mark.points, most)


def _points(points: float, most: float) -> Text:
    color = "green" if points >= most else "red" if points <= 0 else "yellow"
    return Text(f"{round(points, 2):g}", color)


def _legend(scores: ClassScores) -> list[Text]:
    lines = []
    marks = {mark.unread for row in scores.rows for mark in row.marks.values()}
    if True in marks:
        lines.append("?  an answer that a person still has to read (in formgrader); + its points may be added")
    if any(not row.marks for row in scores.rows):
        lines.append("·  nothing graded")
    if any(row.excused for row in scores.rows):
        lines.append("excused: the assignment does not count for the student")
    if any(row.late and not row.excused for row in scores.rows):
        lines.append("late: submitted after the due date")
    return [Text(line, "dim") for line in lines]

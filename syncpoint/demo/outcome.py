"""The outcomes of a sample class's students, as the demo shows them."""

from dataclasses import dataclass

from ..core.results import ExerciseResult
from ..course.folder import Course
from ..records.read_results import GradedNotebook, read_graded
from ..report.scores import read_scores
from .sample_class import SampleClass

ALL_POINTS = "Full marks."


@dataclass(frozen=True)
class StudentOutcome:
    """One student: their act, the judge's findings (a sentence each), and their points."""

    assignment: str
    member: str
    student: str
    did: str
    verdict: str
    points: float
    most: float  # the maximum, without points that a person still has to give
    feedback: str  # the student's page, relative to the course folder


def outcomes(course: Course, sample: SampleClass) -> list[StudentOutcome]:
    """Return everybody of a class that was graded in this course."""
    table = read_scores(course, sample.assignment, sample.students)
    shown = []
    for member, student in zip(sample.members, sample.students, strict=True):
        notebooks = read_graded(course, student, sample.assignment)
        marks = next(row.marks for row in table.rows if row.student == student)
        by_hand = {exercise for exercise, mark in marks.items() if mark.unread}
        name, verdict = _worst(notebooks)
        shown.append(
            StudentOutcome(
                sample.assignment,
                member.name,
                student,
                member.did or "submits something else",
                verdict,
                round(sum(mark.points for exercise, mark in marks.items() if exercise not in by_hand), 2),
                sum(most for exercise, most in table.exercises.items() if exercise not in by_hand),
                f"feedback/{student}/{sample.assignment}/{name}.html",
            )
        )
    return shown


def _worst(notebooks: list[GradedNotebook]) -> tuple[str, str]:
    """Return the notebook to show, and the verdict on the exercise that lost most."""
    exercises = [(book, exercise) for book in notebooks for exercise in book.notebook_result.exercises]
    book, exercise = max(exercises, key=lambda one: one[1].max_points - one[1].points)
    if exercise.points >= exercise.max_points:
        return notebooks[0].name, ALL_POINTS
    points = f"{exercise.name.removeprefix('test_')}: {round(exercise.points, 2):g} of {exercise.max_points:g}."
    return book.name, f"{points} {_reason(book, exercise)}".strip()


def _reason(book: GradedNotebook, exercise: ExerciseResult) -> str:
    """Return the student's main message: from the failed test that counts most, or what interrupted the code."""
    failed = sorted((test for test in exercise.tests if not test.passed), key=lambda test: -test.weight)
    of_tests = [sentence for test in failed for sentence in (test.message, test.title) if sentence]
    of_cells = [*exercise.notes, *(incident.message for incident in book.notebook_result.incidents)]
    reasons = [*of_tests, *of_cells] if exercise.points else [*of_cells, *of_tests]
    return str(reasons[0]) if reasons else ""

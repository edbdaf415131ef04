"""Questions about marks from nbgrader's exchange, where `%syncpoint ask` puts them."""

from collections.abc import Iterator
from functools import partial

from nbgrader.api import Gradebook

from ..check.ask import BEGINNING, OPEN
from ..course.folder import Course
from ..records.errors import RegradeError
from ..records.regrade import ask, questions
from .inbox import ExchangeFolder, collected, received

WAITS = 7 * 24 * 3600  # seconds that a question waits for its submission to be collected
TOO_MANY = "{student} has {open} open questions about {assignment}: another one was not accepted. Answer those first."
NOT_TAKEN = "A question of {student} about {assignment} was not accepted: {why}"


def collect_questions(course: Course, gradebook: Gradebook) -> list[str]:
    """Queue the exchange's questions about collected work, and return sentences for the course."""
    sentences: list[str] = []
    files = received(ExchangeFolder.of(course), BEGINNING, partial(collected, course), WAITS)
    for student, assignment, content in files:
        match content:
            case {"exercise": str(exercise), "question": str(question)}:
                sentences += _enter(gradebook, student, assignment, exercise, question)
    return sentences


def _enter(gradebook: Gradebook, student: str, assignment: str, exercise: str, question: str) -> Iterator[str]:
    """Enter a question unless it exists, as after a killed run."""
    asked = questions(gradebook.db(), assignment, student)
    open_ones = sum(one.answered_at is None for one in asked)
    try:
        if open_ones >= OPEN:
            yield TOO_MANY.format(student=student, open=open_ones, assignment=assignment)
        else:
            ask(gradebook, student, assignment, exercise, question, once=True)
    except RegradeError as problem:
        yield NOT_TAKEN.format(student=student, assignment=assignment, why=problem)

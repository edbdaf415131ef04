"""The commands of the queue of questions: ``ask``, ``questions``, ``answer``."""

from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def ask(
    student: str,
    assignment: str,
    exercise: str,
    question: Annotated[str, typer.Argument(help="The student's question.")],
    folder: InCourse = HERE,
) -> None:
    """Add a student's question about one exercise to the queue that TAs see in the dashboard."""
    with in_gradebook(folder) as (course, gradebook):
        from ..records.gradebook import find_assignment, find_student
        from ..records.regrade import ask

        find_student(gradebook, student)
        find_assignment(course, gradebook, assignment)
        number = ask(gradebook, student, assignment, exercise, question)
        print(f"Question {number} is open.")


def questions(assignment: Annotated[str, typer.Argument()] = "", folder: InCourse = HERE) -> None:
    """Collect students' questions from the exchange and show all of them, open ones first."""
    with in_gradebook(folder) as (course, gradebook):
        from ..nbgrader_hooks.exchange_questions import collect_questions
        from ..records.gradebook import find_assignment
        from ..records.regrade import questions

        for sentence in collect_questions(course, gradebook):
            print(sentence)
        found = questions(gradebook.db(), assignment)
        for one in found:
            state = "open" if one.answered_at is None else f"answered by {one.answered_by}: {one.answer}"
            print(f"{one.id}  {one.student}  {one.assignment}/{one.exercise}  {one.question}\n    {state}")
        if not found:
            if assignment:
                find_assignment(course, gradebook, assignment)
            print("There are no questions.")


def answer(number: int, text: str, folder: InCourse = HERE) -> None:
    """Answer and close a question; the answer appears in the student's next feedback."""
    with in_gradebook(folder) as (_, gradebook):
        from ..records.database import upgrade
        from ..records.mark_log import unix_user
        from ..records.regrade import answer

        upgrade(gradebook.engine)
        student, assignment = answer(gradebook.engine, number, text, unix_user())
        make, give = (f"nbgrader {do}_feedback {assignment} --student={student}" for do in ("generate", "release"))
        print(f"Question {number} is closed. To show the student the answer, run `{make}`, then `{give}`.")

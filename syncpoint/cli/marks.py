"""The commands on marks: their ``log``, a student's ``tries``, and questions (``ask``, ``questions``, ``answer``)."""

from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook


def log(
    assignment: Annotated[str, typer.Argument(help="Only this assignment.")] = "",
    student: Annotated[str, typer.Option(help="Only this student.")] = "",
    to: Annotated[Path | None, typer.Option(help="Write the log to this CSV file.")] = None,
    folder: InCourse = HERE,
) -> None:
    """Show who changed which mark, when, from which value to which, and why."""
    with in_gradebook(folder) as (course, gradebook):
        import sys

        from ..exports.mark_log import lines, write
        from ..records.gradebook import find_assignment, find_student
        from ..records.mark_log import read_log, repair_log

        if repair_log(gradebook):
            note = "the gradebook's triggers had been removed, so recent changes are not in the log. They work again."
            print(f"syncpoint: {note}", file=sys.stderr)
        changes = read_log(gradebook, assignment, student)
        if not changes and student:  # the log has students that the gradebook no longer has
            find_student(gradebook, student)
        if not changes and assignment:
            find_assignment(course, gradebook, assignment)
        if to is not None:
            write(to, changes)
            print(f"{to}: {len(changes)} changes.")
        else:
            print(*lines(changes), sep="\n")


NO_EFFECT = "c.Tries.counts is {!r}, so the choice has no effect until nbgrader_config.py sets it to 'chosen'."


def tries(
    student: str,
    assignment: str,
    choose: Annotated[
        int | None, typer.Option(min=0, help="The try that counts, by its number; 0 chooses the newest again.")
    ] = None,
    remove: Annotated[
        int | None, typer.Option(min=1, help="Delete the try with this number, because it is not this student's work.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Show a student's submissions and what changed between them, choose the one that counts, or remove one."""
    if choose is not None and remove is not None:
        raise typer.BadParameter("use --choose or --remove, not both.")
    with in_gradebook(folder) as (course, gradebook):
        from ..course.tries import which_counts
        from ..grading.try_files import remove_try
        from ..records.database import one_transaction
        from ..records.gradebook import find_assignment, find_student
        from ..records.tries import choose as choose_try
        from ..records.tries import tries_of
        from ..report.tries import lines
        from ..upkeep.claims import all_claimed

        find_student(gradebook, student)
        find_assignment(course, gradebook, assignment)
        if remove is not None:
            with all_claimed(course, [(student, assignment)]):  # a run that knows the try would bring it back
                remove_try(course, gradebook, student, assignment, remove)
        elif choose is not None:
            with one_transaction(gradebook) as session:
                choose_try(session, student, assignment, choose)
        else:
            found = tries_of(gradebook.db(), assignment, [student])[student]
            print(*(lines(found, course.clock.show) if found else ["Nothing is graded yet."]), sep="\n")
            return
        print(f"Run `syncpoint grade {assignment} --student {student}` to update the marks.")
        if choose is not None and (rule := which_counts(course.settings())) != "chosen":
            print(NO_EFFECT.format(rule))


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
        from ..exchange.questions import collect_questions
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
        from ..records.mark_log import unix_user
        from ..records.regrade import answer

        student, assignment = answer(gradebook.engine, number, text, unix_user())
        make, give = (f"nbgrader {do}_feedback {assignment} --student={student}" for do in ("generate", "release"))
        print(f"Question {number} is closed. To show the student the answer, run `{make}`, then `{give}`.")

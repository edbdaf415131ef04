"""The command that shows a student's tries and chooses the one that counts."""

from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook

NO_EFFECT = "c.Tries.counts is {!r}, so the choice has no effect until nbgrader_config.py sets it to 'chosen'."


def tries(
    student: str,
    assignment: str,
    choose: Annotated[
        int | None, typer.Option(min=0, help="The number of the try that counts; 0 for the newest again.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Show a student's submissions and what changed between them, or choose the one that counts."""
    with in_gradebook(folder) as (course, gradebook):
        from ..course.tries import Tries
        from ..records.database import one_transaction, upgrade
        from ..records.gradebook import find_assignment, find_student
        from ..records.tries import choose as choose_try
        from ..records.tries import tries_of
        from ..report.tries import lines

        find_student(gradebook, student)
        find_assignment(course, gradebook, assignment)
        upgrade(gradebook.engine)
        if choose is None:
            found = tries_of(gradebook.db(), assignment, [student])[student]
            print(*(lines(found, course.clock.show) if found else ["Nothing is graded yet."]), sep="\n")
            return
        with one_transaction(gradebook) as session:
            choose_try(session, student, assignment, choose)
        print(f"Run `syncpoint grade {assignment} --student {student}` to update the marks.")
        if (rule := Tries(config=course.settings()).counts) != "chosen":
            print(NO_EFFECT.format(rule))

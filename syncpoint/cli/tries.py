"""The command that shows a student's tries, chooses the one that counts, and removes one of somebody else."""

from typing import Annotated

import typer

from .options import HERE, InCourse, in_gradebook

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
        from ..grading.remove_try import remove_try
        from ..records.database import one_transaction, upgrade
        from ..records.gradebook import find_assignment, find_student
        from ..records.tries import choose as choose_try
        from ..records.tries import tries_of
        from ..report.tries import lines
        from ..upkeep.claims import all_claimed

        find_student(gradebook, student)
        find_assignment(course, gradebook, assignment)
        upgrade(gradebook.engine)
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

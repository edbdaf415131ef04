"""The commands that show what came of grading: ``scores``, ``why``, ``feedback``."""

from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line


def scores(assignment: str, folder: InCourse = HERE) -> None:
    """Show the class: points by student and exercise."""
    with in_one_line():
        from ..report.scores import console, read_scores, render

        screen = console()
        screen.print(render(read_scores(course_around(folder), assignment), screen.width))


def why(
    student: str,
    assignment: str,
    exercise: Annotated[str, typer.Argument()] = "",
    folder: InCourse = HERE,
) -> None:
    """Show why a student has these points, with the failed assertions that students do not see."""
    with in_one_line():
        from ..records.read import read_submission
        from ..report.scores import console
        from ..report.why import explain

        screen = console()
        for line in explain(read_submission(course_around(folder), student, assignment), exercise):
            screen.print(line)


def feedback(student: str, assignment: str, folder: InCourse = HERE) -> None:
    """Print what a student reads in their feedback as plain text, for whoever cannot use the page."""
    with in_one_line():
        from ..course.settings import read_settings
        from ..records.read import read_submission
        from ..report.background import Background
        from ..report.exercise import plain

        course = course_around(folder)
        beside = Background.of(read_settings(course.settings()), course.misconceptions_page)
        for notebook in read_submission(course, student, assignment):
            reports = [plain(exercise, beside) for exercise in notebook.notebook_result.exercises]
            print(f"{notebook.name}.ipynb", *reports, sep="\n\n", end="\n\n")

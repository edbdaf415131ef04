"""The commands that show results: ``scores``, ``why``, ``feedback``."""

from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line


def scores(assignment: str, folder: InCourse = HERE) -> None:
    """Show the points of a class by student and exercise."""
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
    """Explain a student's points, with the failed assertions that students do not see."""
    with in_one_line():
        from ..records.read import read_graded
        from ..report.scores import console
        from ..report.why import explain

        screen = console()
        for line in explain(read_graded(course_around(folder), student, assignment), exercise):
            screen.print(line)


def feedback(
    student: str,
    assignment: str,
    language: Annotated[
        str, typer.Option(help="A language such as pt_BR. Default: the student's in the roster, else the course's.")
    ] = "",
    folder: InCourse = HERE,
) -> None:
    """Print a student's feedback as plain text, for students who cannot use the page."""
    with in_one_line():
        from dataclasses import replace

        from ..core.language import speaking
        from ..course.settings import read_settings
        from ..records.gradebook import open_gradebook
        from ..records.languages import languages
        from ..records.read import read_graded
        from ..report.background import Background
        from ..report.exercise import plain
        from ..translations.catalogue import spoken
        from ..translations.localize import misconceptions_in

        course = course_around(folder)
        notebooks = read_graded(course, student, assignment)
        with open_gradebook(course) as gradebook:
            chosen = language or languages(gradebook.db()).get(student) or course.settings_of(assignment).language
        with speaking(spoken(course, chosen, assignment)):
            background = Background.of(read_settings(course.settings()), course.misconceptions_page)
            background = replace(background, misconceptions=misconceptions_in(course, chosen))
            reports_of = [
                [plain(one, background) for one in notebook.notebook_result.exercises] for notebook in notebooks
            ]
        for notebook, reports in zip(notebooks, reports_of, strict=True):
            print(f"{notebook.name}.ipynb", *reports, sep="\n\n", end="\n\n")

"""The commands that show results: ``scores``, ``why``, ``feedback``."""

from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import SyncpointError
from .options import HERE, InCourse, course_around, in_one_line

if TYPE_CHECKING:
    from ..course.folder import Course


def scores(
    assignment: Annotated[str, typer.Argument(help="The assignment. Default: the course total (c.CourseTotal).")] = "",
    folder: InCourse = HERE,
) -> None:
    """Show the points of a class by student and exercise, or everybody's course total."""
    with in_one_line():
        from ..report.scores import console, read_scores, render, render_totals

        screen = console()
        if not assignment:
            screen.print(render_totals(course_around(folder)))
            return
        screen.print(render(read_scores(course_around(folder), assignment), screen.width))


def why(
    student: str, assignment: str, exercise: Annotated[str, typer.Argument()] = "", folder: InCourse = HERE
) -> None:
    """Explain a student's points, with the failed assertions that students do not see."""
    with in_one_line():
        from ..records.read_results import read_graded
        from ..report.scores import console
        from ..report.why import explain

        screen = console()
        for line in explain(read_graded(course_around(folder), student, assignment), exercise):
            screen.print(line)


def feedback(
    student: Annotated[str, typer.Argument(help="The student's id. With --all, write the assignment here instead.")],
    assignment: Annotated[str, typer.Argument()] = "",
    everybody: Annotated[
        bool, typer.Option("--all", help="Write the whole class's pages that have changed, using all cores.")
    ] = False,
    language: Annotated[
        str, typer.Option(help="A language such as pt_BR. Default: the student's in the roster, else the course's.")
    ] = "",
    folder: InCourse = HERE,
) -> None:
    """Print a student's feedback as plain text, or write the feedback pages of the whole class."""
    with in_one_line():
        if everybody == bool(assignment):
            raise SyncpointError("name a student and an assignment, or --all and an assignment.")
        if everybody:
            _write_pages(course_around(folder), student)
        else:
            _print_feedback(course_around(folder), student, assignment, language)


def _write_pages(course: "Course", assignment: str) -> None:
    from nbgrader.apps import NbGraderAPI

    course.check_assignment(assignment)
    done = NbGraderAPI(config=course.settings()).generate_feedback(assignment, force=False)
    if not done["success"]:
        raise SyncpointError(str(done.get("error") or done["log"]).strip())


def _print_feedback(course: "Course", student: str, assignment: str, language: str) -> None:
    from dataclasses import replace

    from ..core.language import speaking
    from ..course.settings import read_settings
    from ..records.gradebook import open_gradebook
    from ..records.read_results import read_graded
    from ..records.student_details import languages
    from ..report.background import Background
    from ..report.exercise import plain
    from ..translations.catalogue import spoken
    from ..translations.localize import misconceptions_in

    notebooks = read_graded(course, student, assignment)
    with open_gradebook(course) as gradebook:
        chosen = language or languages(gradebook.db()).get(student) or course.settings_of(assignment).language
    with speaking(spoken(course, chosen, assignment)):
        background = Background.of(read_settings(course.settings()), course.misconceptions_page)
        background = replace(background, misconceptions=misconceptions_in(course, chosen))
        reports_of = [[plain(one, background) for one in notebook.notebook_result.exercises] for notebook in notebooks]
    for notebook, reports in zip(notebooks, reports_of, strict=True):
        print(f"{notebook.name}.ipynb", *reports, sep="\n\n", end="\n\n")

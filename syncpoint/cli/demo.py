"""The command that grades a sample class."""

from typing import Annotated

import typer

from ..dashboard.settings import FORMGRADER
from .options import CORES, HERE, InCourse, OnlyAssignments, course_around, in_one_line


def demo(
    assignment: OnlyAssignments = None,
    everybody: Annotated[bool, typer.Option("--all", help="Grade every student of the sample classes.")] = False,
    clean: Annotated[bool, typer.Option("--clean", help="Remove the demo course, and do nothing else.")] = False,
    browser: Annotated[
        bool, typer.Option("--open", help="Start the dashboard at the end, and open it in the browser.")
    ] = False,
    workers: Annotated[int, typer.Option(min=1, help="Number of submissions to judge at a time.")] = CORES,
    folder: InCourse = HERE,
) -> None:
    """Grade a few sample students with right, wrong and cheating solutions in a demo course, and show the results."""
    with in_one_line():
        from ..demo.make_demo import remove, run
        from ..demo.sample_class import assignments_with_a_class

        course = course_around(folder)
        if clean:
            print("demo: removed." if remove(course) else "demo: there was nothing to remove.")
        else:
            own = run(course, assignment or assignments_with_a_class(course), everybody, workers)
            if browser:
                from ..dashboard import serve
                from ..dashboard.settings import Address, Login

                serve.run(own, Address(), Login(), FORMGRADER, browser)

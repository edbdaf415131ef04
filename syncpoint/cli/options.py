"""Options that several commands share, and how commands report errors.

Each command imports its package only when it is called, because nbgrader alone takes two seconds to import.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..core.errors import SyncpointError

if TYPE_CHECKING:
    from nbgrader.api import Gradebook

    from ..course.folder import Course

CORES = len(os.sched_getaffinity(0))  # cores that this command may use: in a container, fewer than the machine has
HERE = Path()
InCourse = Annotated[
    Path, typer.Option("--course", help="The course folder, or any folder inside it.", exists=True, file_okay=False)
]
Workers = Annotated[int, typer.Option(min=1, help="Number of submissions to judge at a time on this machine.")]
Scheduler = Annotated[str, typer.Option(help="Judge on the workers of this Dask scheduler, such as tcp://host:8786.")]
OnlyAssignments = Annotated[
    list[str] | None, typer.Option("--assignment", help="Only this assignment; may be given more than once.")
]


def course_around(folder: Path) -> "Course":
    from ..course.folder import Course

    return Course.around(folder)


@contextlib.contextmanager
def in_one_line() -> Iterator[None]:
    """Print an expected error, which an operator can fix, as one line with exit status 1."""
    try:
        yield
    except SyncpointError as problem:
        print(f"syncpoint: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        sys.stderr.close()
        raise typer.Exit(1) from None


@contextlib.contextmanager
def in_gradebook(folder: Path) -> Iterator[tuple["Course", "Gradebook"]]:
    """Yield the course that contains this folder and its open gradebook; errors are printed as one line."""
    with in_one_line():
        from ..records.gradebook import open_gradebook

        course = course_around(folder)
        with open_gradebook(course) as gradebook:
            yield course, gradebook

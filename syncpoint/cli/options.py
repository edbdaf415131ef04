"""What several commands share: the course they work on, and how their errors are said.

Each command imports its package when it is called: nbgrader alone takes two seconds to import.
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

CORES = len(os.sched_getaffinity(0))  # those that this command may use: fewer than there are, in a container
HERE = Path()
InCourse = Annotated[
    Path, typer.Option("--course", help="The course folder, or a folder in it.", exists=True, file_okay=False)
]
Chosen = Annotated[
    list[str] | None, typer.Option("--assignment", help="This assignment alone; may be given more than once.")
]


def course_around(folder: Path) -> "Course":
    """The course that this folder lies in."""
    from ..course.folder import Course

    return Course.around(folder)


@contextlib.contextmanager
def in_one_line() -> Iterator[None]:
    """What was foreseen is one line and exit status 1: an operator can mend it."""
    try:
        yield
    except SyncpointError as problem:
        print(f"syncpoint: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        raise typer.Exit(1) from None


@contextlib.contextmanager
def in_gradebook(folder: Path) -> Iterator[tuple["Course", "Gradebook"]]:
    """The course that this folder lies in and its gradebook, which is open meanwhile; errors are one line."""
    with in_one_line():
        from ..records.gradebook import open_gradebook

        course = course_around(folder)
        with open_gradebook(course) as gradebook:
            yield course, gradebook

"""What several commands share: the course they work on, and how their errors are said.

Each command imports its package when it is called: nbgrader alone takes two seconds to import.
"""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

CORES = len(os.sched_getaffinity(0))  # those that this command may use: fewer than there are, in a container
HERE = Path()
InCourse = Annotated[
    Path, typer.Option("--course", help="The course folder, or a folder in it.", exists=True, file_okay=False)
]
Chosen = Annotated[
    list[str] | None, typer.Option("--assignment", help="This assignment alone; may be given more than once.")
]


@contextlib.contextmanager
def in_one_line() -> Iterator[None]:
    """Errors that an operator can mend are one line and exit status 1."""
    from ..course.command import CommandFailed
    from ..course.folder import CourseError
    from ..dashboard.settings import DashboardError
    from ..records.database import NewerTables
    from ..records.gradebook import GradebookError
    from ..sandbox import SandboxUnavailable

    try:
        yield
    except (CommandFailed, CourseError, DashboardError, GradebookError, NewerTables, SandboxUnavailable) as problem:
        print(f"syncpoint: {problem}", file=sys.stderr)
        raise typer.Exit(1) from None
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        sys.stderr.close()
        raise typer.Exit(1) from None

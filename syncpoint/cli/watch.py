"""The command that grades submissions as they arrive."""

import contextlib
import time
from typing import Annotated

import typer

from ..core.errors import SyncpointError
from ..core.strip import strip_control
from .options import CORES, HERE, InCourse, Scheduler, Workers, course_around, in_one_line

READY = "Ready for submissions."


def watch(
    assignments: Annotated[
        list[str] | None, typer.Argument(help="Assignments to watch. Default: all that the exchange has released.")
    ] = None,
    workers: Workers = CORES,
    scheduler: Scheduler = "",
    every: Annotated[float, typer.Option(min=0.1, help="Seconds between two checks of the exchange.")] = 0.5,
    once: Annotated[bool, typer.Option("--once", help="Handle the submissions that are there now, then stop.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Collect submissions from the exchange as they arrive, grade them and release the feedback, until Ctrl-C."""
    with in_one_line():
        from rich.console import Console
        from sqlalchemy.exc import DBAPIError

        from ..grading.display import Display
        from ..grading.failures import reason
        from ..grading.pool import JudgingThreads
        from ..watch.progress import RETRY_SECONDS
        from ..watch.watch import IDLE_SECONDS, Watch, alone

        course = course_around(folder)
        console = Console(stderr=True, highlight=False)
        with alone(course), contextlib.ExitStack() as stack:
            judges = None
            if not scheduler:
                judges = stack.enter_context(JudgingThreads(workers, course.root, IDLE_SECONDS))
            display = lambda name: Display(name, console, None)  # noqa: E731

            def released(assignment: str, student: str) -> None:
                say(f"{assignment}: feedback released to {student}.")

            watching = Watch(course, judges, display, say, released=released, scheduler=scheduler)
            stack.callback(watching.close)
            for name in assignments or ():
                watching.assignments.check(name)
            done, ready = 0, False
            while True:
                try:
                    done += len(watching.look(assignments or watching.assignments.released()))
                except (SyncpointError, DBAPIError, OSError) as problem:
                    # Such as a gradebook or a scheduler that does not respond, or a full disk.
                    why = reason(problem) or str(problem)
                    if once:
                        raise SyncpointError(why) from None
                    say(f"{why} Retrying in a minute.")
                    time.sleep(RETRY_SECONDS)
                    continue
                if not watching.is_idle:
                    continue
                if once:
                    say(f"Checked once; new feedback: {done}.")
                    break
                if watching.load():
                    continue
                if not ready:
                    say(READY)
                    ready = True
                time.sleep(every)


def say(text: str) -> None:
    """Print a line for people and for systemd's journal."""
    print(strip_control(text), flush=True)

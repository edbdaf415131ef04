"""The command that grades what is handed in, when it is handed in."""

import time
from typing import Annotated

import typer

from .options import CORES, HERE, InCourse, course_around, in_one_line


def watch(
    assignments: Annotated[
        list[str] | None, typer.Argument(help="Watch these alone; without any, all that the exchange hands out.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Judge so many submissions at a time on this machine.")] = CORES,
    every: Annotated[float, typer.Option(min=0.1, help="Look into the exchange every so many seconds.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Do what is there, and end.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Collect from the exchange, grade and give the feedback back, whenever somebody hands in; until Ctrl-C."""
    with in_one_line():
        from rich.console import Console

        from ..grading.display import Display
        from ..grading.watch import Watch, handed_out

        course = course_around(folder)
        console = Console(stderr=True, highlight=False)
        watched: dict[str, Watch] = {}

        def begin(name: str) -> Watch:
            return Watch(course, name, workers, lambda: Display(name, console, None), say)

        while True:
            for name in assignments or handed_out(course):
                if name not in watched:
                    watched[name] = begin(name)
                for student in watched[name].look():
                    say(f"{name}: {student} has the feedback.")
            if once:
                break
            time.sleep(every)


def say(text: str) -> None:
    """Write a line where systemd's journal and people read it."""
    print(text, flush=True)

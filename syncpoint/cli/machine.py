"""The commands about this machine: ``doctor``, and ``bench``, which moved."""

import sys
from pathlib import Path

import typer

from .options import HERE, InCourse, course_around, in_one_line

BENCH_MOVED = "syncpoint: `syncpoint bench` is `python -m benchmarks` now; the next version does not have the old name."
BENCH_IS_ELSEWHERE = "syncpoint: the bench is no part of the package: run `make bench` in a clone of Syncpoint."


def doctor(folder: InCourse = HERE) -> None:
    """Say what this machine and this course have and lack for grading."""
    with in_one_line():
        from ..doctor.checks import examine_all

        if not examine_all(course_around(folder)):
            raise typer.Exit(1)


def bench(context: typer.Context) -> None:
    """Moved: it is `python -m benchmarks`, or `make bench`, now.  This name goes with the next version."""
    checkout = Path(__file__).parents[2]
    if not (checkout / "benchmarks").is_dir():
        print(BENCH_IS_ELSEWHERE, file=sys.stderr)
        raise typer.Exit(1)
    print(BENCH_MOVED, file=sys.stderr)
    sys.path.insert(0, str(checkout))
    sys.argv[1:] = context.args  # the figures say how they were taken
    from benchmarks.__main__ import app as benchmarks

    benchmarks(context.args, prog_name="python -m benchmarks")

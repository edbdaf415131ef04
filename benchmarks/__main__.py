"""The command ``python -m benchmarks``; ``make bench`` runs it."""

from pathlib import Path
from typing import Annotated

import typer

from syncpoint.cli.options import HERE, Chosen, InCourse, in_one_line

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def bench(
    assignment: Chosen = None,
    quick: Annotated[bool, typer.Option("--quick", help="One short round, in less than five minutes.")] = False,
    rounds: Annotated[int, typer.Option(min=1, help="So many rounds at most.")] = 3,
    most: Annotated[int, typer.Option(min=1, help="No larger class, but of the trivial notebook.")] = 1000,
    into: Annotated[Path, typer.Option(help="Write figures, tables and plot into this folder.")] = Path("build/bench"),
    earlier: Annotated[
        Path | None, typer.Option("--from", help="Measure nothing: show the bench.json of an earlier run.")
    ] = None,
    onto: Annotated[
        Path | None, typer.Option("--onto", help="Measure only the rounds that this earlier bench.json lacks.")
    ] = None,
    publish: Annotated[
        bool, typer.Option("--publish", help="Put the figures into docs/performance.md as well.")
    ] = False,
    folder: InCourse = HERE,
) -> None:
    """Measure what grading a class costs on this machine, beside stock nbgrader, Otter and the bare work."""
    with in_one_line():
        from syncpoint.course.folder import Course
        from syncpoint.demo.sample_class import assignments_with_a_class
        from syncpoint.report.scores import console

        from . import keep, plan, run

        course, screen = Course.around(folder), console()
        if earlier is not None:
            figures = keep.read_figures(earlier)
        else:
            chosen = assignment or assignments_with_a_class(course)
            plans = plan.only(plan.quick(chosen) if quick else plan.full(chosen), assignment or None)
            begun = None if onto is None else keep.read_figures(onto)
            figures = run.measure(course, plan.shortened(plans, rounds, most), screen, begun)
        keep.keep(figures, course, into, screen)
        keep.show(figures, screen)
        if publish:
            keep.publish(figures, course, into)


if __name__ == "__main__":
    app(prog_name="python -m benchmarks")

"""The command that holds graders against the bank."""

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from .options import CORES, HERE, InCourse, course_around, in_one_line

NOTHING = "nothing to vet: nothing in the bank fits what you named."


def vet(
    bank: Annotated[
        Path | None,
        typer.Argument(
            help="A folder <assignment>/<exercise>/<nn>_<ok|bad>_<slug>.py.", show_default="the banks of the course"
        ),
    ] = None,
    assignment: Annotated[str, typer.Option(help="Only this assignment.")] = "",
    exercise: Annotated[
        list[str] | None, typer.Option(help="This exercise alone; may be given more than once.")
    ] = None,
    only: Annotated[str, typer.Option(help="Only files whose name holds this; shows what failed tests saw.")] = "",
    listing: Annotated[
        str, typer.Option("--list", help="Only the solutions that each bank names in its list of this name, as ci.")
    ] = "",
    repeat: Annotated[int, typer.Option(min=1, help="Judge each solution so often; any change is reported.")] = 1,
    onto: Annotated[
        Path | None,
        typer.Option("--onto", dir_okay=False, help="Keep each trial in this file; those it has count, too."),
    ] = None,
    load: Annotated[int, typer.Option(min=0, help="Keep so many busy processes beside it.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Judge so many solutions at a time.")] = CORES,
    language: Annotated[
        str, typer.Option(help="In the course's notebooks of this language, as zh_CN; else in those of the source.")
    ] = "",
    kills: Annotated[bool, typer.Option("--kills", help="Show how many wrong solutions each test finds.")] = False,
    cheats: Annotated[
        bool | None, typer.Option("--cheats/--no-cheats", help="Only the cheats of the bank, or none of them.")
    ] = None,
    checks: Annotated[
        bool, typer.Option("--checks", help="Only run the notebook's own check on each right solution.")
    ] = False,
    json_file: Annotated[
        Path | None, typer.Option("--json", dir_okay=False, help="Write everything to this file.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Hold the graders against a bank: right solutions keep all points, wrong ones lose some, cheats win none."""
    of_trials = {"--kills": kills, "--repeat": repeat > 1, "--onto": onto}
    if checks:
        _nothing_of("verdicts", {**of_trials, "--cheats": cheats, "--json": json_file}, "--checks")
    if cheats:
        _nothing_of("solutions", {"--exercise": exercise, "--list": listing, **of_trials}, "--cheats")
    if language and onto:  # which asks what has changed of all but the notebook
        raise typer.BadParameter("--onto keeps no trials of another language; leave it out, or leave out --language.")
    with in_one_line(), contextlib.ExitStack() as until_the_end:
        from ..course.folder import CourseError
        from ..report.scores import console
        from ..sandbox import check_sandbox
        from ..translations.localize import course_in
        from ..vet.choice import Choice, vet_cheats, vet_checks, vet_solutions
        from ..vet.report import Report, check_writable, render_kills
        from ..vet.run import busy

        course, screen = course_around(folder), console()
        if assignment:
            course.check_assignment(assignment)
        check_sandbox()
        if json_file is not None:
            check_writable(json_file)
        course = until_the_end.enter_context(course_in(course, language))
        choice = Choice(bank, assignment, tuple(exercise or ()), only, listing)
        solved = tried = None
        with busy(load):
            if checks:
                passed = vet_checks(course, choice, jobs, screen)
                raise CourseError(NOTHING) if passed is None else typer.Exit(0 if passed else 1)
            if not cheats:
                solved = vet_solutions(course, choice, repeat, jobs, screen, onto)
            if cheats or (cheats is None and not choice.names_solutions):
                tried = vet_cheats(course, choice, jobs, screen)
        if solved is None and tried is None:
            raise CourseError(NOTHING)
        if solved and kills:
            screen.print(render_kills(solved))
        agrees = all(report.agrees for report in (solved, tried) if report)
        if json_file is not None:
            plain = (solved or Report(())).plain()
            plain |= {"cheats": tried.plain() if tried else None, "agrees": agrees}
            json_file.write_text(json.dumps(plain, indent=1))
        if not agrees:
            raise typer.Exit(1)


def _nothing_of(about: str, options: Mapping[str, object], beside: str) -> None:
    """Refuse options that would do nothing.

    Args:
        about: What they are about.
        options: Those, by name, with what was given.
        beside: The option that has nothing to do with that.

    Raises:
        BadParameter: If one was given.
    """
    for option, given in options.items():
        if given:
            raise typer.BadParameter(f"{option} is about {about}; leave it out, or leave out {beside}.")

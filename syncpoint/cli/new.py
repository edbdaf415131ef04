"""The commands ``init`` for a course and ``new`` for an assignment or an exercise."""

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from .options import HERE, InCourse, course_around, in_one_line

POINTS = 2


def init(
    place: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder; its name becomes the course's name.")],
    assignments: Annotated[
        str, typer.Option("--with", metavar="NAMES", help="Assignments to include, such as torch_async,torch_streams.")
    ] = "",
    folder: InCourse = HERE,
) -> None:
    """Create a private course with the settings and engines of this one, or of the course that comes with Syncpoint."""
    with in_one_line():
        from ..course.errors import CourseError
        from ..course.folder import Course
        from ..course.new_course import begin_course
        from ..engines.find import SHIPPED, used_by

        try:
            model = course_around(folder)
        except CourseError:
            if folder != HERE:
                raise
            model = Course(SHIPPED)
        names = list(filter(None, assignments.split(",")))
        for path in begin_course(model, place, names):
            print(f"{'new':8} {path}")
        course = Course(place)
        missing = [name for name in used_by(place) if not (course.engine_prefix(name) / "bin" / "python").exists()]
        then = [
            f"cd {shlex.quote(str(place))}",
            "cat README.md",
            *(f"syncpoint engine install {name}" for name in missing),
        ]
        then += [f"nbgrader generate_assignment {name}" for name in names] or ["syncpoint new ASSIGNMENT"]
        print("Next:", *(f"    {command}" for command in then), sep="\n")


def new(
    assignment: Annotated[
        str, typer.Argument(help="The name of the assignment and its folders; may contain a-z, 0-9 and _.")
    ],
    exercise: Annotated[str, typer.Argument(help="Create this exercise in the existing assignment.")] = "",
    points: Annotated[int | None, typer.Option(min=1, help=f"The exercise's points. Default: {POINTS}.")] = None,
    engine: Annotated[str, typer.Option(help="The assignment's engine. Default: the course's.")] = "",
    title: Annotated[str, typer.Option(help="The assignment's title. Default: made from its name.")] = "",
    notebook: Annotated[str, typer.Option(help="The notebook's name. Default: the assignment's name.")] = "",
    theirs: Annotated[
        Path | None, typer.Option("--from", help="Copy the exercises and tests of this nbgrader or Otter notebook.")
    ] = None,
    folder: InCourse = HERE,
) -> None:
    """Create an assignment, or an exercise in it: cells, tests, sample solutions and sample students, ready to run."""
    if points is not None and not exercise:
        raise typer.BadParameter("--points is for an exercise: name one after the assignment.")
    if exercise and (engine or title):
        given = "--engine" if engine else "--title"
        raise typer.BadParameter(f"{given} is for a new assignment: leave out the exercise, or the option.")
    if theirs and (exercise or notebook):
        raise typer.BadParameter("--from makes a new assignment, with a notebook of the same name.")
    with in_one_line():
        from ..course.other_tools import moved_assignment
        from ..course.scaffold import new_assignment, new_exercise
        from ..course.write_together import write_together

        course = course_around(folder)
        if exercise:
            made = new_exercise(course, assignment, exercise, points or POINTS, notebook)
        elif theirs:
            made = moved_assignment(course, assignment, theirs, engine, title)
        else:
            made = new_assignment(course, assignment, notebook, engine, title)
        written, changed = write_together(made.files)
        for kind, paths in (("new", written), ("changed", changed)):
            for path in paths:
                print(f"{kind:8} {os.path.relpath(path, course.root)}")
        if made.note:
            print(made.note)
        if made.missing:
            install = f"syncpoint engine install {made.missing}"
            print(f"The engine's environment .venv-{made.missing} is missing. Create it first: {install}")
        print("Next:", *(f"    {command}" for command in made.then), sep="\n")

"""The steps of the demo: releases, sample classes, grading, feedback, export, and where to look next."""

import shlex
import time
from pathlib import Path

from nbgrader.api import MissingEntry
from rich.console import Console

from ..command import TOOLS, quiet_nbgrader, show_nbgrader
from ..dashboard.settings import PORT
from ..gradebook import NoGradebook, open_gradebook
from ..judge.course import Course
from ..release import stale_files
from ..sandbox import check_sandbox
from ..scores import ClassScores, console, read_scores, render
from .sample_class import PREFIX, SampleClass, read_class, write_class

EVERYBODY = f"--student={PREFIX}*"
STEPS = 6


def run(course: Course, assignments: list[str]) -> None:
    """Grade the sample classes of these assignments and show them.

    Raises CommandFailed, CourseError, GradebookError or SandboxUnavailable.
    """
    screen = console()
    began = time.monotonic()
    classes = [read_class(course, assignment) for assignment in assignments]
    if course.settings().GradeSubmission.get("isolation") != "none":
        check_sandbox()
    _say_step(screen, 1, "the releases")
    for sample in classes:
        release(screen, course, sample.assignment)
    _say_step(screen, 2, f"the sample classes, written to submitted/{PREFIX}*")
    for sample in classes:
        write_class(course, sample)
        screen.print(f"      {sample.assignment}: {len(sample.pupils)} students", style="dim")
    _say_step(screen, 3, "grading")
    for sample in classes:
        autograde(screen, course, sample)
    _say_step(screen, 4, "feedback")
    for sample in classes:
        _show(screen, course, "generate_feedback", sample.assignment, EVERYBODY, "--force")
    _say_step(screen, 5, "a table of grades")
    _say_command(screen, "export", "--to", "grades.csv")
    quiet_nbgrader(course.root, "export", "--to", "grades.csv")
    _say_step(screen, 6, "the classes")
    scores = [read_scores(course, sample.assignment, sample.students) for sample in classes]
    for table in scores:
        screen.print(render(table, screen.width))
    _say_where_next(screen, course, scores, time.monotonic() - began)


def release(screen: Console, course: Course, assignment: str) -> None:
    """Generate the release, unless the gradebook and release/ hold what would be generated."""
    if is_in_gradebook(course, assignment) and not stale_files(course, assignment):
        screen.print(f"      {assignment} is fresh", style="dim")
    else:
        _show(screen, course, "generate_assignment", assignment, "--force")


def is_in_gradebook(course: Course, assignment: str) -> bool:
    """Whether the gradebook knows the assignment."""
    try:
        with open_gradebook(course) as gradebook:
            return bool(gradebook.find_assignment(assignment).notebooks)
    except (NoGradebook, MissingEntry):
        return False


def autograde(screen: Console, course: Course, sample: SampleClass) -> None:
    """Grade one class, with its own limits where it has some.  Raises CommandFailed."""
    limits = [f"--GradeSubmission.{name}={value}" for name, value in sample.limits.items()]
    _show(screen, course, "autograde", sample.assignment, EVERYBODY, "--force", *limits)
    if limits:
        screen.print("      (these limits are the demo's: a real course is in less of a hurry)", style="dim")


def _show(screen: Console, course: Course, *arguments: str) -> None:
    _say_command(screen, *arguments)
    show_nbgrader(course.root, *arguments)


def _say_step(screen: Console, step: int, what: str) -> None:
    screen.print(f"[bold]\\[{step}/{STEPS}][/] {what}", soft_wrap=True)


def _say_command(screen: Console, *arguments: str) -> None:
    screen.print(f"      $ {shlex.join(['nbgrader', *arguments])}", style="dim", soft_wrap=True)


def _say_where_next(screen: Console, course: Course, scores: list[ClassScores], seconds: float) -> None:
    here = Path(TOOLS).relative_to(course.root) if TOOLS.is_relative_to(course.root) else TOOLS
    assignment, student, exercise = _an_example(scores)
    notebook = course.graded_cells(assignment)[exercise]
    lines = {
        "what a student gets": f"feedback/{student}/{assignment}/{notebook}.html",
        "why these points": f"{here}/syncpoint why {student} {assignment} {exercise.removeprefix('test_')}",
        "the same table": f"{here}/syncpoint scores {assignment}",
        "all grades": "grades.csv",
        "grade texts by hand": f"{here}/jupyter lab   (then the menu Nbgrader > Formgrader)",
        "take it all away": f"{here}/syncpoint demo --clean",
        "start the dashboard": f"{here}/syncpoint dashboard --open   (on http://127.0.0.1:{PORT}; Ctrl-C ends it)",
    }
    screen.print(f"Done in {seconds:.0f} s. Where to look next:", style="bold")
    for what, where in lines.items():
        screen.print(f"  {what:<21}{where}", soft_wrap=True)


def _an_example(scores: list[ClassScores]) -> tuple[str, str, str]:
    """Assignment, student and exercise to look at: one that lost some of its points, if there is one."""
    marks = [
        (table.assignment, row.student, exercise, mark.points / (table.exercises[exercise] or 1))
        for table in scores
        for row in table.rows
        for exercise, mark in row.marks.items()
        if not mark.unread
    ]
    return min(marks, key=lambda mark: abs(mark[3] - 0.5))[:3]

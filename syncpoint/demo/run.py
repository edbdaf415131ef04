"""The steps of the demo: release, sample class, grading, feedback, export, and where to look next."""

import shlex
import time
from pathlib import Path

from nbgrader.api import MissingEntry
from rich.console import Console

from ..command import TOOLS, quiet_nbgrader, show_nbgrader
from ..gradebook import NoGradebook, open_gradebook
from ..judge.course import Course
from ..release import stale_files
from ..sandbox import check_sandbox
from ..scores import console, read_scores, render
from .sample_class import ASSIGNMENT, CLASS, PREFIX, write_class

EVERYBODY = f"--student={PREFIX}*"
STEPS = 6
# Tighter than a real course's, so that the submissions that never end cost the demo little.
CELL_SECONDS = 10
MEMORY_MIB = 2048


def run(course: Course) -> None:
    """Grade the sample class and show it.  Raises CommandFailed, CourseError, GradebookError or SandboxUnavailable."""
    screen = console()
    began = time.monotonic()
    if course.settings().GradeSubmission.get("isolation") != "none":
        check_sandbox()
    _say(screen, 1, "the release", f"nbgrader generate_assignment {ASSIGNMENT}")
    release(screen, course)
    _say(screen, 2, f"a sample class of {len(CLASS)} students, written to submitted/{PREFIX}*")
    write_class(course)
    limits = [f"--GradeSubmission.cell_seconds={CELL_SECONDS}", f"--GradeSubmission.memory_mib={MEMORY_MIB}"]
    _say(screen, 3, "grading", _command("autograde", ASSIGNMENT, EVERYBODY, "--force", *limits))
    screen.print("      (a real course allows 30 s and 4096 MiB; the demo is in a hurry)", style="dim")
    show_nbgrader(course.root, "autograde", ASSIGNMENT, EVERYBODY, "--force", *limits)
    _say(screen, 4, "feedback", _command("generate_feedback", ASSIGNMENT, EVERYBODY, "--force"))
    show_nbgrader(course.root, "generate_feedback", ASSIGNMENT, EVERYBODY, "--force")
    _say(screen, 5, "a table of grades", _command("export", "--to", "grades.csv"))
    quiet_nbgrader(course.root, "export", "--to", "grades.csv")
    _say(screen, 6, "the class")
    screen.print(render(read_scores(course, ASSIGNMENT, PREFIX), screen.width))
    _say_where_next(screen, course, time.monotonic() - began)


def release(screen: Console, course: Course) -> None:
    """Generate the release, unless the gradebook and release/ hold what would be generated."""
    if is_in_gradebook(course) and not stale_files(course, ASSIGNMENT):
        screen.print("      is fresh", style="dim")
    else:
        show_nbgrader(course.root, "generate_assignment", ASSIGNMENT, "--force")


def is_in_gradebook(course: Course) -> bool:
    """Whether the gradebook knows the assignment."""
    try:
        with open_gradebook(course) as gradebook:
            return bool(gradebook.find_assignment(ASSIGNMENT).notebooks)
    except (NoGradebook, MissingEntry):
        return False


def _say(screen: Console, step: int, what: str, command: str = "") -> None:
    screen.print(f"[bold]\\[{step}/{STEPS}][/] {what}" + (f"  [dim]$ {command}" if command else ""), soft_wrap=True)


def _command(*arguments: str) -> str:
    return shlex.join(["nbgrader", *arguments])


def _say_where_next(screen: Console, course: Course, seconds: float) -> None:
    here = Path(TOOLS).relative_to(course.root) if TOOLS.is_relative_to(course.root) else TOOLS
    student = f"{PREFIX}forgot_to_wait"
    lines = {
        "what a student gets": f"feedback/{student}/{ASSIGNMENT}/memory.html",
        "why these points": f"{here}/syncpoint why {student} {ASSIGNMENT} train_sync",
        "the same table": f"{here}/syncpoint scores {ASSIGNMENT}",
        "all grades": "grades.csv",
        "grade texts by hand": f"{here}/jupyter lab   (then the menu Nbgrader > Formgrader)",
        "take it all away": f"{here}/syncpoint demo --clean",
    }
    screen.print(f"Done in {seconds:.0f} s. Where to look next:", style="bold")
    for what, where in lines.items():
        screen.print(f"  {what:<21}{where}", soft_wrap=True)

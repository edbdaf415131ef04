"""The steps of the demo: a separate course, its releases, a few students, grading, feedback, and a page."""

import shlex
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, PackageLoader
from rich.console import Console
from rich.table import Table
from traitlets.config import Config

from ..core.atomic_write import write_whole
from ..course.errors import CommandFailed, CourseError
from ..course.folder import Course
from ..course.nbgrader_command import TOOLS, quiet_nbgrader
from ..grading.display import Display
from ..grading.options import RunOptions
from ..grading.pool import JudgingThreads
from ..grading.run import run as grade
from ..report.scores import console
from ..sandbox import check_sandbox
from .outcome import StudentOutcome, outcomes
from .sample_class import SampleClass, class_file, read_class, write_class

DEMO_FOLDER = Path("build", "demo")  # in the course
MARK = ".syncpoint-demo"  # in the folder that may be removed
STEPS = 4
PAGE = "index.html"


def folder_of(course: Course) -> Path:
    """Return the folder of the demo's own course and gradebook."""
    return course.root / DEMO_FOLDER


def remove(course: Course) -> bool:
    """Remove the demo's course, and return whether there was one. Raises CourseError for a folder that is not ours."""
    folder = folder_of(course)
    if not folder.exists():
        return False
    if not (folder / MARK).is_file():
        raise CourseError(f"{folder} was not made by the demo: move it away.")
    shutil.rmtree(folder)
    return True


def run(course: Course, assignments: list[str], everybody: bool, workers: int) -> Course:
    """Grade a few students of each of these assignments, or ``everybody``, and show them."""
    screen, began = console(), time.monotonic()
    for assignment in assignments:
        if not class_file(course, assignment).is_file():  # a missing file is only reported for known names
            course.check_assignment(assignment)
    classes = [read_class(course, assignment) for assignment in one_of_each_engine_first(course, assignments)]
    if not everybody:
        classes = [sample.telling for sample in classes]
    if course.settings().GradeSubmission.get("isolation") != "none":
        check_sandbox()
    _say(screen, 1, f"make a course in {DEMO_FOLDER} with its releases")
    own = _own_course(course)
    _nbgrader_for_all(screen, own, "generate_assignment", classes, workers)
    _say(screen, 2, "the students submit")
    for sample in classes:
        write_class(own, sample)
        screen.print(f"      {sample.assignment}: {', '.join(member.name for member in sample.members)}", style="dim")
    _say(screen, 3, f"grade {workers} at a time, and make feedback")
    with JudgingThreads(workers, own.root) as judges:
        for sample in classes:
            _grade(screen, own, sample, RunOptions(executor=judges, workers=workers))
    _nbgrader_for_all(screen, own, "generate_feedback", classes, workers)
    _say(screen, 4, "what they did, and how it was graded")
    shown = [line for sample in classes for line in outcomes(own, sample)]
    screen.print(_table(shown))
    _write_page(own.root / PAGE, shown)
    _say_where_next(screen, course, own, shown, time.monotonic() - began)
    return own


def one_of_each_engine_first(course: Course, assignments: list[str]) -> list[str]:
    """Return the assignments with one of each engine first, for people who look only for a minute."""
    settings = {assignment: course.settings_of(assignment) for assignment in assignments}
    engines = [settings[assignment].engine for assignment in assignments]
    return sorted(
        assignments, key=lambda assignment: engines.index(settings[assignment].engine) != assignments.index(assignment)
    )


def _own_course(course: Course) -> Course:
    """Create a copy of the course without its students, replacing the last demo's."""
    remove(course)
    own = course.copy_to(folder_of(course))
    (own.root / MARK).touch()
    return own


@dataclass(frozen=True)
class _WithLimits(Course):
    """A course with other limits, for one class."""

    limits: dict[str, float] = field(default_factory=dict)  # settings of GradeSubmission

    def settings(self) -> Config:
        """Return the course's settings with these limits."""
        settings = super().settings()
        settings.GradeSubmission.update(self.limits)
        return settings


def _grade(screen: Console, own: Course, sample: SampleClass, options: RunOptions) -> None:
    """Grade one class as `syncpoint grade` does, with its own limits if it has some."""
    _show_command(screen, "syncpoint", "grade", sample.assignment)
    if sample.limits:
        limits = ", ".join(f"{name} = {value:g}" for name, value in sample.limits.items())
        screen.print(f"      (with {limits}: shorter limits than in a real course)", style="dim")
    display = Display(sample.assignment, Console(stderr=True, highlight=False))
    if not grade(_WithLimits(own.root, sample.limits), sample.assignment, options, display):
        raise CommandFailed(f"syncpoint grade {sample.assignment} failed: see the lines above.")


def _nbgrader_for_all(screen: Console, own: Course, command: str, classes: list[SampleClass], workers: int) -> None:
    """Run an nbgrader command for each assignment, several at a time."""
    for sample in classes:
        _show_command(screen, "nbgrader", command, sample.assignment)
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(lambda sample: quiet_nbgrader(own.root, command, sample.assignment), classes))


def _show_command(screen: Console, *words: str) -> None:
    screen.print(f"      $ {shlex.join(words)}", style="dim", soft_wrap=True)


def _say(screen: Console, step: int, what: str) -> None:
    screen.print(f"[bold]\\[{step}/{STEPS}][/] {what}", soft_wrap=True)


def _table(shown: list[StudentOutcome]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column()
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for line in shown:
        color = "green" if line.points >= line.most else "red" if line.points <= 0 else "yellow"
        score = f"[{color}]{round(line.points, 2):g}[/] [dim]of {line.most:g}[/]"
        table.add_row(f"[bold]{line.member}[/]\n[dim]{line.assignment}", score, f"{line.did}\n[dim]{line.verdict}[/]")
    return table


def _say_where_next(screen: Console, course: Course, own: Course, shown: list[StudentOutcome], seconds: float) -> None:
    here = Path(TOOLS).relative_to(course.root) if TOOLS.is_relative_to(course.root) else TOOLS
    example = min(shown, key=lambda line: abs(line.points / (line.most or 1) - 0.7))
    lines = {
        "open the class": f"{DEMO_FOLDER / PAGE}",
        "a student's feedback": f"{DEMO_FOLDER / example.feedback}",
        "why these points": f"{here}/syncpoint why {example.student} {example.assignment} --course {DEMO_FOLDER}",
        "the dashboard": f"{here}/syncpoint dashboard --open --course {DEMO_FOLDER}",
        "every student": f"{here}/syncpoint demo --all   (some minutes; `demo --clean` removes everything)",
    }
    screen.print(f"Done in {seconds:.0f} s. Next steps:", style="bold")
    for what, where in lines.items():
        screen.print(f"  {what:<22}{where}", soft_wrap=True)


def _write_page(path: Path, shown: list[StudentOutcome]) -> None:
    """Write the page that leads to everybody's feedback; its links are relative to its folder."""
    templates = Environment(
        loader=PackageLoader("syncpoint.demo", "."), autoescape=True, trim_blocks=True, auto_reload=False
    )
    by_assignment: dict[str, list[StudentOutcome]] = {}
    for line in shown:
        by_assignment.setdefault(line.assignment, []).append(line)
    write_whole(path, templates.get_template("page.html").render(classes=by_assignment).encode())

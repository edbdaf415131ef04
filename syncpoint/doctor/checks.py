"""The doctor: one line for each thing that grading needs, and how to fix problems."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import MissingEntry  # noqa: F401  (nbgrader must import at all)
from packaging.specifiers import SpecifierSet
from rich.markup import escape

from ..core.names import some
from ..course.answer_rubric import check_rubrics
from ..course.folder import Course, CourseError
from ..course.nbgrader_command import CommandFailed, environment
from ..course.release import GradedWork, NotEntered, check_gradebook, check_graded_work, missing_files, stale_files
from ..engines.find import Engine, folders, read
from ..judge.errors import DeadKernelError, GraderError
from ..judge.test_runner import collect
from ..records.errors import GradebookError, NoGradebook
from ..records.gradebook import database, open_gradebook
from ..records.owner import shown
from ..report.scores import console
from ..sandbox import SandboxUnavailable, check_sandbox
from ..sandbox.cgroup import find_parent
from ..sandbox.seccomp import ARCHITECTURES, REFUSED
from .browser import HOW_TO_GET_ONE, MISSING, NoBrowser, find_browser
from .escape import Attempt, attempt_escape

VERSIONS = """
import importlib, importlib.metadata, json, sys
import ipykernel
importlib.import_module(sys.argv[1])
print(json.dumps([sys.version.split()[0], *map(importlib.metadata.version, sys.argv[2:])]))
"""
AS_ROOT = "you are root: a notebook can change permissions and timestamps of device files, such as /dev/null"
DATASET = ("fashion-mnist", "FashionMNIST")  # folder names of the data set


@dataclass(frozen=True)
class Finding:
    """The result of one check."""

    what: str
    fine: bool | None  # None for mere information
    detail: str
    fix: str = ""  # the next step, if the detail does not name it


def examine_all(course: Course) -> bool:
    """Print a line for each check; return whether everything is fine."""
    screen = console()
    sound = True
    for check in CHECKS:
        for finding in check(course):
            sound = sound and finding.fine is not False
            mark = {True: "[green]ok   [/]", False: "[red]WRONG[/]", None: "[cyan]note [/]"}[finding.fine]
            fix = f"  [yellow]-> {escape(finding.fix)}[/]" if finding.fix else ""
            screen.print(f"{mark} {finding.what:<11} {escape(finding.detail)}{fix}", soft_wrap=True)
    return sound


def tools(course: Course) -> Iterator[Finding]:
    """The judge's own Python."""
    found = ".".join(map(str, sys.version_info[:3]))
    yield Finding("tools", sys.version_info[:2] >= (3, 11), f"Python {found} in {sys.prefix}")


def engine(course: Course) -> Iterator[Finding]:
    """Check the Python and packages of each engine that an assignment uses."""
    try:
        engines = course.engines()
    except CourseError as problem:
        yield Finding("engine", False, str(problem), "see docs/how-to/add-an-engine.md")
        return
    for used in engines:
        yield _environment_of(used, course.engine_prefix(used.name))


def _environment_of(engine: Engine, prefix: Path) -> Finding:
    python, made, reinstall = (
        prefix / "bin" / "python",
        engine.environment,
        f"rm -rf {prefix.name}; syncpoint engine install {engine.name}",
    )
    command = [str(python), "-I", "-W", "ignore", "-c", VERSIONS, made.check, *made.packages]
    try:
        answer = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return Finding("engine", False, f"{python} is missing", f"syncpoint engine install {engine.name}")
    if answer.returncode:
        reason = (answer.stderr.strip().splitlines() or ["no reason given"])[-1]
        return Finding("engine", False, f"the engine cannot be imported: {reason}", reinstall)
    version, *versions = json.loads(answer.stdout.splitlines()[-1])
    found = dict(zip(made.packages, versions, strict=True))
    detail = ", ".join([f"Python {version}", *(f"{name} {number}" for name, number in found.items())])
    oldest, newest = made.python
    right = oldest <= tuple(map(int, version.split(".")[:2])) <= newest
    right = right and all(SpecifierSet(made.packages[name]).contains(number) for name, number in found.items())
    wanted = [f"{name} {_in_words(will_do)}" for name, will_do in made.packages.items()]
    needed = ", ".join([f"Python {'.'.join(map(str, oldest))} to {'.'.join(map(str, newest))}", *wanted])
    return Finding("engine", right, detail, "" if right else f"it needs {needed}; to reinstall it: {reinstall}")


def _in_words(versions: str) -> str:
    """Return accepted versions in words: "==1.9.1" is "1.9.1", "<1.24" is "< 1.24"."""
    return re.sub(r"^([<>]=?)", r"\1 ", versions.removeprefix("=="))


def programs(course: Course) -> Iterator[Finding]:
    """nbgrader, and alembic, which nbgrader calls."""
    for name in ("nbgrader", "alembic"):
        here, ours = shutil.which(name), shutil.which(name, path=environment()["PATH"])
        fix = "" if here else 'to run it from your shell: export PATH="$PWD/.venv/bin:$PATH"'
        if ours is None:
            yield Finding(name, False, "is not installed in syncpoint's environment", "rm -rf .venv; make setup")
        else:
            yield Finding(name, True if here else None, here or f"{ours} (not on your PATH)", fix)


def sandbox(course: Course) -> Iterator[Finding]:
    """Check that bubblewrap starts, a kernel runs in it, and nothing gets out of it."""
    assignments = course.assignments()
    sandbox_spec = course.sandbox_spec(assignments[0] if assignments else "")
    if not sandbox_spec.python.exists():
        yield Finding("sandbox", False, "cannot be tested without the engine", "make setup")
        return
    if sandbox_spec.isolation == "none":
        fix = 'remove c.GradeSubmission.isolation = "none" from nbgrader_config.py'
        yield Finding("sandbox", False, "is turned off: student code runs with your own permissions", fix)
        return
    try:
        yield Finding("sandbox", True, check_sandbox())
        result = attempt_escape(course, sandbox_spec)
    except SandboxUnavailable as problem:
        yield Finding("sandbox", False, str(problem))
        return
    except DeadKernelError as gone:
        fix = "run `make setup`; if that does not help, see docs/how-to/troubleshoot.md"
        yield Finding("kernel", False, str(gone.fault.message), fix)
        return
    yield Finding("kernel", True, f"started in the sandbox in {result.seconds:.1f} s and ran a cell")
    if os.geteuid() == 0:
        yield Finding("user", None, AS_ROOT, "grade as a user who is not root")
    if result.unclean:
        yield Finding("next kernel", None, f"needs a new sandbox, which takes a second or two more: {result.unclean}")
    else:
        yield Finding("next kernel", True, "starts in the same sandbox: the previous kernel left nothing behind")
    yield from (_isolation(attempt) for attempt in result.attempts)


def _isolation(attempt: Attempt) -> Finding:
    if attempt.reached:
        fix = "do not grade on this machine; report this with your bubblewrap version"
        return Finding("isolation", False, f"the sandbox can reach {attempt.what}: {attempt.reached}", fix)
    return Finding("isolation", True, f"{attempt.what}: out of reach")


def limits(course: Course) -> Iterator[Finding]:
    """Check how resources of a submission are counted, and whether dangerous system calls are refused."""
    parent = find_parent()
    if parent is None:
        detail = (
            "memory, processes and processor time are only checked five times a second: no control group can be created"
        )
        yield Finding("limits", None, detail, "to get one, see docs/reference/configuration.md, Who counts")
    else:
        yield Finding("limits", True, f"memory, processes and processor time are counted in a control group, {parent}")
    machine = os.uname().machine
    if machine in ARCHITECTURES:
        yield Finding("calls", True, f"the sandbox refuses {len(REFUSED)} dangerous system calls")
    else:
        yield Finding("calls", None, f"the sandbox refuses no system calls: there is no filter for {machine}")


def gradebook(course: Course) -> Iterator[Finding]:
    """Check that the gradebook opens, and summarize its content."""
    try:
        with open_gradebook(course) as book:
            names, students = [assignment.name for assignment in book.assignments], len(book.students)
    except NoGradebook:
        yield Finding("gradebook", None, "there is none yet: run `nbgrader generate_assignment` to create it")
    except GradebookError as problem:
        yield Finding("gradebook", False, problem.message, problem.fix)
    else:
        detail = f"{shown(database(course))}: {students} students; assignments: {', '.join(names) or 'none'}"
        yield Finding("gradebook", True, detail)
        yield from (_in_gradebook(course, assignment) for assignment in course.assignments())
        yield from (_without_source(name) for name in names if not course.source(name).folder.is_dir())


def _in_gradebook(course: Course, assignment: str) -> Finding:
    """Whether the gradebook has the cells of a release."""
    try:
        with open_gradebook(course) as book:
            check_gradebook(book, course, assignment)
            cells = sum(len(notebook.grade_cells) for notebook in book.find_assignment(assignment).notebooks)
    except (CourseError, GradebookError) as problem:
        return Finding("gradebook", None if isinstance(problem, NotEntered) else False, str(problem))
    return Finding("gradebook", True, f"{assignment}: {cells} graded cells, the same as in release/{assignment}")


def _without_source(assignment: str) -> Finding:
    detail = f"{assignment}: it is in the gradebook, but source/{assignment} is missing"
    fix = f"if this is a mistake: nbgrader db assignment remove {assignment}"
    return Finding("gradebook", None, detail, fix)


def graders(course: Course) -> Iterator[Finding]:
    """Check that every grade cell has a grader with tests, and every grader a cell."""
    for assignment in course.assignments():
        try:
            course.graders(assignment).check(course.source(assignment))
            count = sum(len(collect(module)) for module in course.graders(assignment).tests())
        except (CourseError, GraderError) as problem:
            yield Finding("graders", False, str(problem).splitlines()[0])
        else:
            detail = f"{assignment}: {len(course.source(assignment).exercises())} grade cells, {count} tests"
            yield Finding("graders", True, detail)


def rubrics(course: Course) -> Iterator[Finding]:
    """Check that every rubric can be used: it has a written answer, and its points."""
    for assignment in course.assignments():
        found, wrong = check_rubrics(course, assignment)
        yield from (Finding("rubrics", False, str(problem)) for problem in wrong)
        if found:
            yield Finding("rubrics", True, f"{assignment}: {', '.join(found)}")


def release(course: Course) -> Iterator[Finding]:
    """Check that release/ equals a new release, and has everything that students need."""
    for assignment in course.assignments():
        try:
            stale = stale_files(course, assignment)
            missing = missing_files(course, assignment, course.root / "release" / assignment)
        except (CommandFailed, CourseError) as problem:
            yield Finding("release", False, str(problem))
            continue
        if stale:
            detail = f"{assignment}: not up to date with source/: {', '.join(stale)}"
            yield Finding("release", False, detail, _made_again(course, assignment))
        elif missing:
            detail = f"{assignment}: up to date, but not ready for students: {some(missing)} missing"
            yield Finding("release", None, detail, f"nbgrader generate_assignment {assignment}")
        else:
            yield Finding("release", True, f"{assignment}: up to date")


def _made_again(course: Course, assignment: str) -> str:
    """Return how to update a release from its source or, if graded work prevents that, what to do instead."""
    try:
        with open_gradebook(course) as book:
            check_graded_work(book, assignment, course.source(assignment).folder)
    except GradedWork as refused:
        return refused.fix
    except GradebookError:
        pass  # the gradebook's own line reports it
    return f"nbgrader generate_assignment {assignment} --force"


def dataset(course: Course) -> Iterator[Finding]:
    """Fashion-MNIST, for experiments of a real size."""
    downloaded = [read(name, folder).datasets for name, folder in folders().items()]
    places = [*filter(None, downloaded), *(course.root / "data" / name for name in DATASET)]
    found = next((place for place in places if place.is_dir()), None)
    detail = f"found at {found}" if found else "not found"
    yield Finding("dataset", None, f"Fashion-MNIST: {detail}; grading does not need it")


def browser(course: Course) -> Iterator[Finding]:
    """A browser, for the tests of web pages."""
    try:
        yield Finding("browser", None, f"{find_browser()}, for the tests of web pages; grading does not need it")
    except NoBrowser:
        detail = f"{MISSING}: `make test` skips the tests of web pages; grading does not need it"
        yield Finding("browser", None, detail, HOW_TO_GET_ONE)


CHECKS: tuple[Callable[[Course], Iterator[Finding]], ...] = (
    tools, engine, programs, sandbox, limits, gradebook, graders, rubrics, release, dataset, browser
)  # fmt: skip

"""The command ``python -m scripts.benchmarks.processor``: where a warm submission's processor time goes.

Processor time is user and system time of all processes: those in sandboxes, and this one, which judges.
"""

import gc
import os
import re
import signal
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Annotated

import psutil
import typer
from nbformat.v4 import new_code_cell

from syncpoint.cli.options import HERE, InCourse, OnlyAssignments, in_one_line
from syncpoint.course.errors import CommandFailed
from syncpoint.course.folder import Course
from syncpoint.demo.sample_submission import SampleSubmission, reference_solutions
from syncpoint.judge.cells import is_autograded
from syncpoint.judge.grade_notebook import ExerciseGrader
from syncpoint.judge.job import GradingSpec, NotebookJob
from syncpoint.judge.notebook_run import NotebookRun
from syncpoint.report.scores import console
from syncpoint.sandbox.pool import close_all
from syncpoint.sandbox.usage import cpu_seconds_of, numbers_of

from . import report
from .report import Sheet

WANTED = {"torch_async": 2.4, "torch_streams": 2.4, "torch_memory": 2.4, "torch_parallel": 4.0}  # seconds
DEVICE = "probe.process"  # on the command line of the engine's own process
PART = "kernel process"
BELOW = 3  # processes of a device above the kernel process: bubblewrap, the fork server, the keeper
EVERY = 0.004  # seconds of processor time between two samples
# Parts of this process, by the innermost file in a stack that matches one of these.
JUDGE = {
    "log": re.compile(r"syncpoint/(engines|observe|probe)/"),
    "graders": re.compile(r"/grader_tests/|syncpoint/graders/"),
    "pytest": re.compile(r"/(_pytest|pluggy)/"),
}
# In the kernel: the samples inside the front end, of all samples.
SAMPLE = f"""\
import signal as _signal
_samples = [0, 0]
def _sample(number, frame):
    _samples[0] += 1
    while frame is not None and "/simgpu/" not in frame.f_code.co_filename:
        frame = frame.f_back
    _samples[1] += frame is not None
_signal.signal(_signal.SIGVTALRM, _sample)
_signal.setitimer(_signal.ITIMER_VIRTUAL, {EVERY}, {EVERY})
"""
TELL = "print('samples:', *_samples)"

app = typer.Typer(add_completion=False)


class Clock:
    """Adds up processor time by phase and process: ``("tests", "device")``.  Its own readings do not count.

    The kernel process counts as a part of the device, and again separately, as ``PART``.
    """

    def __init__(self) -> None:
        self.seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._last = self._read()

    def note(self, phase: str) -> None:
        """Add the time used since the last note to this phase."""
        now = self._read()
        for whose, seconds in now.items():
            self.seconds[phase, whose] += max(0.0, seconds - self._last[whose])
        self._last = {**now, "judge": time.process_time()}

    def _read(self) -> dict[str, float]:
        found = {"judge": time.process_time(), "kernel": 0.0, "device": 0.0, PART: 0.0}
        for child in psutil.Process().children():
            numbers = numbers_of(child.pid)
            with suppress(psutil.Error):  # it has ended
                whose = "device" if DEVICE in " ".join(child.cmdline()) else "kernel"
                found[whose] += cpu_seconds_of(numbers)
                found[PART] += cpu_seconds_of(numbers[BELOW:]) if whose == "device" else 0.0
        return found


def judge(spec: GradingSpec, jobs: list[NotebookJob], course: Course) -> tuple[Clock, list[str]]:
    """Judge the notebooks of a submission, as a judging process does.

    Returns:
        The cost, and the output of each notebook's last cell.

    Raises:
        CommandFailed: If a test does not pass: the time of a wrong verdict says nothing.
    """
    clock, told = Clock(), []
    for job in jobs:
        grader, notebook = ExerciseGrader.of(spec), job.as_notebook()
        with NotebookRun(notebook, spec.sandbox_spec(course.root, job.files)) as run:
            clock.note("start")
            for place, cell in enumerate(notebook.cells):
                if not is_autograded(cell):
                    continue
                run.advance_to(place)
                clock.note("cells")
                exercise = grader.judge_cell(run, cell)
                clock.note("tests")
                if failed := [test.name for test in exercise.tests if not test.passed]:
                    raise CommandFailed(f"{exercise.name} of {job.notebook}: {', '.join(failed)} did not pass.")
            run.advance_to(len(notebook.cells))
            clock.note("cells")
        clock.note("stop")
        told.append("".join(str(output.get("text", "")) for output in notebook.cells[-1].get("outputs", ())))
    return clock, told


def jobs_of(course: Course, assignment: str, spec: GradingSpec, *more: str) -> list[NotebookJob]:
    """The reference solution as submitted, with ``more`` also a cell before and one after all others."""
    submission = SampleSubmission.released(course, assignment)
    for exercise, source in reference_solutions(course, assignment).items():
        submission.cell(exercise).source = source
    for notebook in submission.notebooks.values():
        notebook.cells = [*map(new_code_cell, more[:1]), *notebook.cells, *map(new_code_cell, more[1:])]
    return [NotebookJob.of(name, one, [], (), spec) for name, one in submission.notebooks.items()]


@contextmanager
def sampled() -> Iterator[Counter[str]]:
    """Sample which part of the judge runs in the block, by the names of ``JUDGE``; "" counts all."""
    found: Counter[str] = Counter()

    def sample(number: int, frame: FrameType | None) -> None:
        found[""] += 1
        while frame is not None:
            file = frame.f_code.co_filename
            if part := next((name for name, pattern in JUDGE.items() if pattern.search(file)), None):
                found[part] += 1
                return
            frame = frame.f_back

    before = signal.signal(signal.SIGVTALRM, sample)
    signal.setitimer(signal.ITIMER_VIRTUAL, EVERY, EVERY)
    try:
        yield found
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def measured(course: Course, assignment: str, repeat: int) -> dict[str, str]:
    """The row of an assignment: medians, after one submission that warms the worker, and shares of one more."""
    spec = course.spec(assignment)
    jobs = jobs_of(course, assignment, spec)
    judge(spec, jobs, course)
    clocks = [judge(spec, jobs, course)[0].seconds for _ in range(repeat)]
    with sampled() as samples:
        _, told = judge(spec, jobs_of(course, assignment, spec, SAMPLE, TELL), course)
    counts = [tuple(map(int, found)) for one in told for found in re.findall(r"samples: (\d+) (\d+)", one)]
    front = sum(inside for _, inside in counts) / max(1, sum(count for count, _ in counts))

    def median(of: Callable[[str, str], bool]) -> float:
        return statistics.median(sum(seconds for key, seconds in one.items() if of(*key)) for one in clocks)

    kernel = median(lambda phase, whose: whose == "kernel" and phase in ("cells", "tests"))
    own = median(lambda phase, whose: whose == "judge")
    figures = {
        "start, stop": median(lambda phase, whose: whose not in ("judge", PART) and phase in ("start", "stop")),
        "cells": median(lambda phase, whose: (phase, whose) == ("cells", "kernel")),
        "tests' calls": median(lambda phase, whose: (phase, whose) == ("tests", "kernel")),
        "of both: front end": kernel * front,
        "device": median(lambda phase, whose: whose == "device" and phase in ("cells", "tests")),
        f"of it: {PART}": median(lambda phase, whose: whose == PART and phase in ("cells", "tests")),
        "judge": own,
        **{f"of it: {part}": own * samples[part] / max(1, samples[""]) for part in JUDGE},
    }
    shown = {name: f"{seconds:.2f}" for name, seconds in figures.items()}
    return {"assignment": assignment, **shown, "all": marked(assignment, median(lambda phase, whose: whose != PART))}


def marked(assignment: str, seconds: float) -> str:
    """Format the sum, with a sign whether it reaches the goal."""
    wanted = WANTED.get(assignment)
    return f"{seconds:.2f}" if wanted is None else f"{'✓' if seconds <= wanted else '✗'} {seconds:.2f} (≤ {wanted})"


@app.command()
def main(
    assignment: OnlyAssignments = None,
    repeat: Annotated[int, typer.Option(min=1, help="Number of submissions; their median counts.")] = 3,
    publish: Annotated[bool, typer.Option("--publish", help=f"Also write the table into {report.PAGE}.")] = False,
    folder: InCourse = HERE,
) -> None:
    """Print the processor time of judging the reference solution, and where it goes."""
    with in_one_line():
        course, names, load = Course.around(folder), assignment or list(WANTED), os.getloadavg()[0]
        gc.collect()
        gc.freeze()  # as in a judging process
        try:
            sheet = Sheet("Processor seconds of one submission", [])
            for name in names:
                sheet.rows.append(measured(course, name, repeat))
                print(f"{name}: {sheet.rows[-1]['all']}", flush=True)
        finally:
            close_all()
        report.show_sheet(sheet, console())
        report.publish_sheet(course if publish else None, "processor time", load, [sheet])


if __name__ == "__main__":
    app(prog_name="python -m scripts.benchmarks.processor")

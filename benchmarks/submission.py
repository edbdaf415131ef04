"""``python -m benchmarks.submission torch_parallel``: processor seconds of one submission's judging, sandboxes warm."""

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from syncpoint.course.folder import Course
from syncpoint.judge.grade_notebook import ExerciseGrader
from syncpoint.judge.submission import SubmissionRun, is_autograded
from syncpoint.sandbox.pool import close_all
from syncpoint.sandbox.usage import cpu_seconds_of, processes_of

REST = "cells, start and stop"


def main(assignment: str, rounds: Annotated[int, typer.Option(min=2)] = 4) -> None:
    """Judge the reference solution some times; print seconds of the judge and of all sandboxes in the best warm round.

    The first round, in which the sandboxes start, counts for nothing; one in which a test failed is named.
    """
    course, found = Course.around(Path.cwd()), []
    for number in range(rounds):
        seconds, failed = _judge(course, assignment)
        said = f", failed: {failed}" if failed else ""
        print(f"round {number}, load {os.getloadavg()[0]:.0f}: {_total(seconds):.2f} s{said}")
        if number and not failed:
            found.append(seconds)
    close_all()
    if found:
        for name, (judge, sandboxes) in min(found, key=_total).items():
            print(f"{name:28} judge {judge:5.2f}  sandboxes {sandboxes:5.2f}")


def _judge(course: Course, assignment: str) -> tuple[dict[str, tuple[float, float]], str]:
    """Seconds of each exercise, of the judge and of the sandboxes; and the names of failed tests."""
    spec, found, failed = course.spec(assignment), {REST: (0.0, 0.0)}, []
    for path in sorted(course.source_folder(assignment).glob("*.ipynb")):
        notebook = course.reference(assignment, path.stem)
        grader, before = ExerciseGrader.of(spec), _now()
        with SubmissionRun(notebook, spec.sandbox_spec(course.root)) as run:
            for index, cell in enumerate(notebook.cells):
                run.advance_to(index)
                if is_autograded(cell):
                    begun = _now()
                    exercise = grader.judge_cell(run, cell)
                    found[exercise.name] = _since(begun)
                    before = (before[0] + found[exercise.name][0], before[1] + found[exercise.name][1])
                    failed += [test.name for test in exercise.tests if not test.passed]
            run.advance_to(len(notebook.cells))
        judge, sandboxes = _since(before)
        found[REST] = (found[REST][0] + judge, found[REST][1] + sandboxes)
    return found, ", ".join(failed)


def _now() -> tuple[float, float]:
    """Processor seconds so far, of this process and of all below it."""
    own = time.process_time()
    return own, cpu_seconds_of(processes_of(os.getpid())) - own


def _since(begun: tuple[float, float]) -> tuple[float, float]:
    now = _now()
    return now[0] - begun[0], now[1] - begun[1]


def _total(seconds: dict[str, tuple[float, float]]) -> float:
    return sum(judge + sandboxes for judge, sandboxes in seconds.values())


if __name__ == "__main__":
    typer.run(main)

#!/usr/bin/env python
"""Holds the graders against the bank: right solutions keep all points, wrong ones lose some.  Run from the repo root.

.venv/bin/python scripts/vet_bank.py                       every exercise that has a bank
.venv/bin/python scripts/vet_bank.py loops --repeat 20     one exercise, 20 times; reports verdicts that flip
.venv/bin/python scripts/vet_bank.py loops --only 05_ok    one solution, with what its failed tests saw
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from syncpoint.judge.course import Course
from syncpoint.judge.examination import examine
from syncpoint.judge.submission import SubmissionRun, is_autograded
from syncpoint.judge.verdict import Verdict
from syncpoint.sandbox.world import World


def notebook_for(reference: NotebookNode, exercise: str, solution: str) -> tuple[NotebookNode, int]:
    """The cell with the imports, the solution and the grade cell, and the place of the last.

    Demonstrations, visible checks and the other exercises stay away: no grader needs them.
    """
    notebook = new_notebook(metadata=reference.metadata)
    for cell in reference.cells:
        nbgrader = cell.metadata.get("nbgrader", {})
        identity = nbgrader.get("grade_id", "")
        if identity == exercise:
            cell.source = solution
        elif identity not in ("imports", f"test_{exercise}"):
            continue
        notebook.cells.append(cell)
    return notebook, next(index for index, cell in enumerate(notebook.cells) if is_autograded(cell))


def judge(course: Course, world: World, path: Path, repeat: int) -> Iterator[tuple[Verdict, float]]:
    """The verdict on one file of the bank and the seconds its tests took, ``repeat`` times in one kernel."""
    assignment, exercise = path.parent.parent.name, path.parent.name
    reference = course.reference(assignment, course.notebook_with(assignment, f"test_{exercise}"))
    notebook, place = notebook_for(reference, exercise, path.read_text())
    points = float(notebook.cells[place].metadata.nbgrader.points)
    with SubmissionRun(notebook, world) as run:
        run.advance_to(place)
        for _ in range(repeat):
            began = time.monotonic()
            outcomes = examine(course.grader(assignment, f"test_{exercise}"), run.student())
            seconds = time.monotonic() - began
            yield Verdict(f"test_{exercise}", points, tuple(outcomes), tuple(run.faults)), seconds


def main() -> int:
    """Judge the bank; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="*", help="names of bank folders (default: all)")
    parser.add_argument("--assignment", default="async")
    parser.add_argument("--only", default="", help="only files whose name holds this; prints what failed tests saw")
    parser.add_argument("--repeat", type=int, default=1, help="judge every file so often and report flips")
    options = parser.parse_args()

    course = Course.around(Path.cwd())
    world = course.world(options.assignment)
    bank = course.root / "tests" / "bank" / options.assignment
    status = 0
    for folder in sorted(path for path in bank.iterdir() if path.is_dir()):
        exercise = folder.name
        if options.exercises and exercise not in options.exercises:
            continue
        kills: dict[str, list[str]] = {}
        seen: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        times: list[float] = []
        runs = (
            (path, verdict, seconds)
            for path in sorted(folder.glob("*.py"))
            if options.only in path.name
            for verdict, seconds in judge(course, world, path, options.repeat)
        )
        for path, verdict, seconds in runs:
            right = path.name[3:5] == "ok"
            failed = tuple(outcome.name for outcome in verdict.outcomes if not outcome.passed)
            if right:
                times.append(seconds)
            for outcome in verdict.outcomes:
                kills.setdefault(outcome.name, [])
                if not right and not outcome.passed and path.name not in kills[outcome.name]:
                    kills[outcome.name].append(path.name)
            wrong = bool(failed) == right
            status |= wrong
            # A test that broke instead of finding something is a fault of the grader, whatever the points.
            broke = [o.name for o in verdict.outcomes if "This test itself" in o.message]
            status |= bool(broke)
            if options.repeat == 1 or wrong or broke or failed not in seen[path.name]:
                mark = "WRONG" if wrong else "BROKE" if broke else "     "
                tests = " ".join(name.removeprefix("test_") for name in failed)
                points = f"{verdict.points:.2f}/{verdict.max_points:g}"
                print(f"{mark} {exercise}/{path.stem:40} {points}  {seconds:5.2f} s  {tests}", flush=True)
                for outcome in verdict.outcomes if options.only or broke else ():
                    if not outcome.passed:
                        print(f"      {outcome.name}: {outcome.message}\n{outcome.detail}")
                for note in verdict.notes if options.only or right else ():
                    print(f"      {note}")
            seen[path.name].add(failed)
        for name, flips in seen.items():
            if len(flips) > 1:
                status = 1
                print(f"FLIPS {exercise}/{name}: {sorted(flips)}")
        idle = [name for name, files in kills.items() if not files]
        typical = f"right solutions {statistics.median(times):.2f} s, at most {max(times):.2f} s" if times else ""
        print(f"----- {exercise}: {len(kills)} tests, {len(seen)} solutions, {typical}")
        for name, files in kills.items():
            print(f"        {name}: {len(files)} kills")
        if idle and not options.only:
            print(f"      no bad solution fails: {', '.join(idle)}")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

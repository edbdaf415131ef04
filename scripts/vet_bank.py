#!/usr/bin/env python
"""Holds the graders against the bank: right solutions keep all points, wrong ones lose some.  Run from the repo root.

.venv/bin/python scripts/vet_bank.py                       every exercise of every assignment that has a bank
.venv/bin/python scripts/vet_bank.py --assignment async    every exercise of one assignment
.venv/bin/python scripts/vet_bank.py loops --repeat 20     one exercise, 20 times; reports verdicts that flip
.venv/bin/python scripts/vet_bank.py loops --only 05_ok    one solution, with what its failed tests saw
"""

import argparse
import statistics
import sys
from collections import defaultdict
from pathlib import Path

from syncpoint.judge.course import Course
from syncpoint.judge.examination import GRADER_BROKE
from syncpoint.judge.vetting import is_right, vet


def main() -> int:
    """Judge the bank; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("exercises", nargs="*", help="names of bank folders (default: all)")
    parser.add_argument("--assignment", default="*", help="the folder of the bank (default: all)")
    parser.add_argument("--only", default="", help="only files whose name holds this; prints what failed tests saw")
    parser.add_argument("--repeat", type=int, default=1, help="judge every file so often and report flips")
    options = parser.parse_args()

    course = Course.around(Path.cwd())
    bank = course.root / "tests" / "bank"
    folders = [path for path in sorted(bank.glob(f"{options.assignment}/*")) if path.is_dir()]
    unknown = set(options.exercises) - {folder.name for folder in folders}
    if unknown or not folders:
        parser.error(f"{bank}/{options.assignment} has no {', '.join(sorted(unknown)) or 'exercise'}")
    status = 0
    for folder in folders:
        assignment, exercise = folder.parent.name, folder.name
        if options.exercises and exercise not in options.exercises:
            continue
        world = course.world(assignment)
        kills: dict[str, list[str]] = {}
        seen: dict[str, set[tuple[str, ...]]] = defaultdict(set)
        times: list[float] = []
        runs = (
            (path, verdict, seconds)
            for path in sorted(folder.glob("*.py"))
            if options.only in path.name
            for verdict, seconds in vet(course, world, path, options.repeat)
        )
        for path, verdict, seconds in runs:
            right = is_right(path)
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
            broke = [o.name for o in verdict.outcomes if o.message == GRADER_BROKE]
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
        print(f"----- {assignment}/{exercise}: {len(kills)} tests, {len(seen)} solutions, {typical}")
        for name, files in kills.items():
            print(f"        {name}: {len(files)} kills")
        if idle and not options.only:
            print(f"      no bad solution fails: {', '.join(idle)}")
    return int(status)


if __name__ == "__main__":
    sys.exit(main())

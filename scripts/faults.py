#!/usr/bin/env python
"""Kills kernel, sandbox and judge at random moments of grading, and checks whether anything is lost.

The same blows as in tests/grading/test_faults.py, as many as you like: ``make faults ARGS="--moments 200 --seed 7"``.
"""

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))

from classroom import SmallCourse
from faults import Classroom, plans, short_temporary_folder


def main(
    moments: Annotated[
        int, typer.Option(help="Total number of moments at which a process is killed; two in each run.")
    ] = 100,
    seed: Annotated[int | None, typer.Option(help="The same seed kills at the same moments.")] = None,
) -> None:
    """Kill kernel, sandbox and judge at random moments of grading; status 1 if anything was lost."""
    seed = random.SystemRandom().randrange(10**6) if seed is None else seed
    print(f"seed {seed}: --seed {seed} chooses the same moments again")
    with tempfile.TemporaryDirectory(prefix="syncpoint-faults-") as folder, short_temporary_folder() as temporary:
        raise typer.Exit(1 if strike(Path(folder), temporary, seed, moments) else 0)


def strike(folder: Path, temporary: Path, seed: int, moments: int) -> int:
    """Return how many runs lost something."""
    released = SmallCourse.make(folder / "released")
    released.nbgrader("generate_assignment", "async")
    quiet = Classroom(released.copy(folder / "quiet"), temporary).grade()
    began, hit, bad = time.monotonic(), 0, 0
    for number, blows in enumerate(plans(seed, (moments + 1) // 2), 1):
        classroom = Classroom(released.copy(folder / f"run-{number}"), temporary)
        struck = classroom.grade(blows, quiet.seconds)
        again = classroom.grade()
        wrongs = (
            classroom.wrongs() if again.status == 0 else [f"status {again.status} of the second run:\n{again.message}"]
        )
        hit, bad = hit + len(struck.blows), bad + bool(wrongs)
        print(f"{number}: {'; '.join(map(str, blows))}: {'; '.join(wrongs) or 'nothing lost'}", flush=True)
    minutes = (time.monotonic() - began) / 60
    print(f"{hit} blows that hit, {bad} runs that lost something, {minutes:.0f} min, seed {seed}")
    return bad


if __name__ == "__main__":
    typer.run(main)

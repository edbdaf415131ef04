"""``python -m benchmarks.device``: how soon a warm device is there for a notebook, in a sandbox of its own."""

import statistics
import time
from pathlib import Path
from typing import Annotated

import typer

from syncpoint.course.folder import Course
from syncpoint.judge.engine_process import EngineProcess
from syncpoint.sandbox.pool import close_all

START_SECONDS = 60


def main(assignment: str = "torch_async", rounds: Annotated[int, typer.Option(min=2)] = 12) -> None:
    """Print milliseconds of wall time: the first device, for which the engine loads, and the median of all others."""
    spec, found = Course.around(Path.cwd()).sandbox_spec(assignment), []
    for _ in range(rounds):
        began = time.monotonic()
        process = EngineProcess(spec)
        try:
            process.front_end.close()
            process.wait_until_ready(START_SECONDS)
            found.append(1000 * (time.monotonic() - began))
        finally:
            process.stop(clean=True)
    close_all()
    first, *warm = found
    print(f"first {first:.0f} ms, warm {statistics.median(warm):.0f} ms ({min(warm):.0f} to {max(warm):.0f})")


if __name__ == "__main__":
    typer.run(main)

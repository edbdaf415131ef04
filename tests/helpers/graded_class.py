"""A class that `syncpoint grade` grades: run to the end, watched as it goes, or struck down."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from classroom import BIN, PATIENT, ROOT, SmallCourse, environment
from commands import Forked, command

from syncpoint.grading.pool import ENGINES

WRONG = "def double(x):\n    return x"
SCORES = {"ada": (4.0, 2.0), "bob": (4.0, 0.0), "cleo": (4.0, 2.0), "dan": (0.0, 2.0), "eve": (0.0, 0.0)}
RUN = ("ada", "bob", "cleo", "dan")  # there is nothing to run of eve's
GIVE_UP_SECONDS = 400


def submit_all(course: SmallCourse) -> None:
    """Right, wrong, right in another way, an exercise that fails, and a file that is no notebook."""
    course.configure(PATIENT)
    course.submit("ada", course.solved())
    course.submit("bob", course.solved(double=WRONG))
    course.submit("cleo", course.solved(double="def double(x):\n    return x + x"))
    course.submit("dan", course.solved(queue_work="def queue_work(x):\n    return undefined"))
    course.submit("eve", "no notebook")


def hold(course: SmallCourse, student: str) -> None:
    """Whoever judges this student comes to a gate in the notebook: the kernel stops until `Run.held` resumes it."""
    path = course.folder(student) / "work.ipynb"
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == "queue_work":
            cell["source"] = "import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)\n" + cell["source"]
    path.write_text(json.dumps(notebook))


class Run:
    """A run of `syncpoint grade async --json -` that is going on."""

    def __init__(self, process: subprocess.Popen[str] | Forked):
        self.process = process

    def until_ended(self, count: int) -> list[str]:
        """Wait until so many submissions are done with; returns whose."""
        ended: list[str] = []
        while len(ended) < count:
            line = self.process.stdout.readline()
            assert line, f"it stopped after {ended}"
            event = json.loads(line)
            ended += [event["student"]] if event["event"] == "ended" else []
        return ended

    def until_noted(self, text: str) -> bool:
        """Wait until it notes something with this text in it; whether it does before it ends."""
        return any(text in json.loads(line).get("text", "") for line in self.process.stdout)

    def judging(self) -> list[psutil.Process]:
        """Its judging processes."""
        children = psutil.Process(self.process.pid).children()
        return [child for child in children if "syncpoint.judge.judging_main" in " ".join(child.cmdline())]

    def held(self) -> psutil.Process:
        """Wait until a kernel has come to the gate of `hold`; ``resume`` opens it."""
        while self.process.poll() is None:
            for process in self.family():
                with suppress(psutil.NoSuchProcess):
                    if process.status() == psutil.STATUS_STOPPED:
                        return process
        raise AssertionError("it ended, and no kernel was held")

    def family(self) -> list[psutil.Process]:
        """Every process that it started, and those that these started."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self) -> list[dict[str, Any]]:
        """Let it come to its end; the events that came since."""
        output, self.message = self.process.communicate(timeout=GIVE_UP_SECONDS)
        return [json.loads(line) for line in output.splitlines()]


@contextmanager
def running(course: SmallCourse, *options: str) -> Iterator[Run]:
    """Grade, with one worker if the options name no other; whatever is left at the end of the block is killed."""
    judged_by = () if {"--workers", "--scheduler"} & set(options) else ("--workers", "1")
    words = ["syncpoint", "grade", "async", "--json", "-", *judged_by, *options]
    with command(words, course.root, environment()) as process:
        try:
            yield Run(process)
        finally:
            process.kill()


def grade(course: SmallCourse, *options: str, status: int = 0) -> dict[str, str]:
    """Grade to the end; what became of each student."""
    with running(course, *options) as run:
        events = run.end()
    assert run.process.returncode == status, run.message
    assert events[-1]["event"] == "summary"
    return {event["student"]: event["outcome"] for event in events if event["event"] == "ended"}


def stored(course: SmallCourse) -> set[Path]:
    """The results in the store."""
    return set((course.root / ".syncpoint" / "results").rglob("*.json.gz"))


@contextmanager
def cluster(count: int, *inside: str, folder: Path, **variables: str) -> Iterator[tuple[str, list[subprocess.Popen]]]:
    """A scheduler and its workers, each a program of its own, in another folder than any course.

    inside: what a worker's command is put behind.  Yields the scheduler's address and the programs, it first, when all
    workers are there.
    """
    file = folder / "scheduler.json"
    dask = [str(BIN / "dask")]
    quiet = {"cwd": folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    here = ["--host", "127.0.0.1"]
    scheduler = [*dask, "scheduler", *here, "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    programs = [subprocess.Popen(scheduler, env=environment(), **quiet)]
    try:
        while not file.exists() or not file.read_text():
            assert programs[0].poll() is None, "the scheduler does not start"
        address = json.loads(file.read_text())["address"]
        worker = [*inside, *dask, "worker", address, *here, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        own = environment(**{ENGINES: str(ROOT), **variables})
        programs += [subprocess.Popen(worker, env=own, **quiet) for _ in range(count)]
        if count:
            from distributed import Client  # half a second, which most tests need not spend

            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(count, timeout=GIVE_UP_SECONDS)
        yield address, programs
    finally:
        for program in programs:
            program.kill()  # politely, a worker whose scheduler was killed may take for ever
            program.wait(GIVE_UP_SECONDS)

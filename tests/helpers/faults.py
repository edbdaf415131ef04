"""Grading that is struck down: blows to judge and sandbox at chosen moments, and what must hold afterwards."""

import dataclasses
import json
import random
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Literal

import psutil
from classroom import BIN, PATIENT, SmallCourse, environment
from commands import command

from syncpoint.course.folder import Course
from syncpoint.records.read_results import read_graded

Target = Literal["judge", "judging process", "bubblewrap", "init", "kernel"]
PROCESSES: tuple[Target, ...] = ("judging process", "bubblewrap", "init", "kernel")  # from the outside to the inside
MARKS = {
    "judging process": "syncpoint.judge.judging_main",
    "kernel": "",
}  # in their command lines; else the folder's name
GIVE_UP_SECONDS = 600  # only a judge that hangs takes so long
RIGHT, WRONG = (4.0, 2.0), (4.0, 0.0)
STUDENTS = {"ada": RIGHT, "bob": WRONG}


@dataclasses.dataclass(frozen=True)
class Blow:
    """A signal to one process, dealt when a moment has come.

    after: a process of the student's sandbox that has to be there by then, or the part of a student's usual time that
    passes before the blow; a blow after a part of the time may come too late, and hit nobody.
    """

    target: Target
    student: str
    after: Target | float
    number: signal.Signals = signal.SIGKILL

    def __str__(self) -> str:
        moment = f"{self.after:.0%} of" if isinstance(self.after, float) else f"the {self.after} of"
        return f"{self.number.name} to the {self.target} at {moment} {self.student}"


def plans(seed: int, count: int) -> list[tuple[Blow, ...]]:
    """Blows for so many runs: one to the sandbox of the first student, then one to the judge, at any moment."""
    dice = random.Random(seed)
    return [
        (Blow(PROCESSES[number % 4], "ada", dice.random()), Blow("judge", dice.choice(("ada", "bob")), dice.random()))
        for number in range(count)
    ]


@dataclasses.dataclass(frozen=True)
class Ended:
    """A grading run that came to its end.  blows: those that hit.  seconds: until the first student was graded."""

    status: int
    message: str
    blows: tuple[Blow, ...] = ()
    seconds: float = 0.0


class Classroom:
    """Two students of the small course, graded with a temporary folder of their own."""

    def __init__(self, course: SmallCourse, temporary: Path):
        self.course, self.temporary = course, temporary
        course.configure(PATIENT)
        course.submit("ada", course.solved())
        course.submit("bob", course.solved(double="def double(x):\n    return x"))

    def grade(self, blows: Sequence[Blow] = (), usual: float = 0.0, inside: Sequence[str] = ()) -> Ended:
        """Run `nbgrader autograde async` under these blows.  usual: seconds of one student.  inside: a command."""
        began = time.monotonic()
        seconds, hit = 0.0, []
        with self.running(inside) as judge:
            printed = []
            for student in STUDENTS:  # one after the other
                hit += [blow for blow in blows if blow.student == student and self._strike(judge, blow, usual)]
                for line in judge.stderr or ():
                    printed.append(line)
                    if line.startswith(f"grading async: {student} "):
                        break
                seconds = seconds or time.monotonic() - began
            printed += judge.stderr or ()
            status = judge.wait()
        return Ended(status, "".join(printed), tuple(hit), seconds)

    @contextmanager
    def running(self, inside: Sequence[str] = ()) -> Iterator[subprocess.Popen[str]]:
        """`nbgrader autograde async`, from its start to its end."""
        words = [*inside, str(BIN / "nbgrader"), "autograde", "async"]
        variables = environment(TMPDIR=str(self.temporary))
        with command(words, self.course.root, variables, stdout=None) as judge:
            hangs = threading.Timer(GIVE_UP_SECONDS, judge.kill)
            hangs.start()
            try:
                yield judge
            finally:
                hangs.cancel()
                judge.kill()

    def _strike(self, judge: subprocess.Popen[str], blow: Blow, usual: float) -> bool:
        """Wait for the moment of the blow, then deal it.  False if its target has gone by itself."""
        with suppress(psutil.NoSuchProcess, AttributeError):
            process = psutil.Process(judge.pid) if blow.target == "judge" else self._inside(judge, blow.target)
            if isinstance(blow.after, float):
                time.sleep(blow.after * usual)
            else:
                self._inside(judge, blow.after)
            process.send_signal(blow.number)
            return judge.poll() is None
        return False

    def _inside(self, judge: subprocess.Popen[str], target: Target) -> psutil.Process | None:
        """A process of the sandbox, as soon as there is one."""
        while judge.poll() is None:
            with suppress(psutil.NoSuchProcess, IndexError, StopIteration):
                children = psutil.Process(judge.pid).children()
                process = next(child for child in children if MARKS["judging process"] in " ".join(child.cmdline()))
                for _ in range(PROCESSES.index(target)):
                    process = process.children()[0]
                if MARKS.get(target, str(self.temporary)) in " ".join(process.cmdline()):
                    return process
            time.sleep(0.002)
        return None

    def left_behind(self) -> list[str]:
        """Socket folders, and command lines of processes that use them."""
        folders = [str(path) for path in self.temporary.glob("sp-*")]
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                folders += [" ".join(process.cmdline())] if f"{self.temporary}/sp-" in str(process.cmdline()) else []
        return folders

    def wrongs(self) -> list[str]:
        """Everything that is not as after one quiet run, in words."""
        found = [f"left behind: {what}" for what in self.left_behind()]
        found += [f"half written: {path}" for path in self.course.root.rglob("*.part")]
        with closing(sqlite3.connect(self.course.root / "gradebook.db")) as gradebook:
            found += [f"gradebook: {row[0]}" for row in gradebook.execute("PRAGMA integrity_check") if row[0] != "ok"]
            for table in ("submitted_assignment", "submitted_notebook", "syncpoint_notebooks"):
                ((rows,),) = gradebook.execute(f"SELECT count(*) FROM {table}")
                found += [f"{rows} rows in {table}"] if rows != len(STUDENTS) else []
        scores = self.course.scores()
        found += [f"scores: {scores}"] if scores != STUDENTS else []
        for student in STUDENTS:
            (record,) = read_graded(Course(self.course.root), student, "async")
            points = tuple(exercise.points for exercise in record.notebook_result.exercises)
            found += (
                [f"{student} has {scores.get(student)} and verdicts of {points}"] if points != STUDENTS[student] else []
            )
            found += self._wrong_files(student)
        return found

    def _wrong_files(self, student: str) -> list[str]:
        folder = self.course.root / "autograded" / student / "async"
        if [path.name for path in folder.iterdir()] != ["work.ipynb"]:
            return [f"files of {student}: {[path.name for path in folder.iterdir()]}"]
        cells = json.loads((folder / "work.ipynb").read_text())["cells"]
        reports = sum("text/html" in output.get("data", {}) for cell in cells for output in cell.get("outputs", ()))
        return [] if reports == 2 else [f"{reports} reports in the notebook of {student}"]


@contextmanager
def short_temporary_folder() -> Iterator[Path]:
    """A temporary folder with a path short enough for sockets."""
    with tempfile.TemporaryDirectory(prefix="faults-", dir="/tmp") as folder:
        yield Path(folder)

"""How far grading has come: a live line on a terminal, one plain line per student elsewhere."""

import atexit
import sys
import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar


class Progress:
    """Student, position, rate and time left of one grading run.

    Args:
        students: In the order in which they are graded.
    """

    def __init__(self, students: list[str]):
        self._students = students
        self._position = 0
        self._current = ""
        self._began = time.monotonic()
        self._console = Console(stderr=True)
        self._live = self._console.is_terminal
        self._bar = Bar(
            TextColumn("grading {task.fields[student]}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=self._console,
            disable=not self._live,
        )
        self._task = self._bar.add_task("", total=len(students), student="", rate="")

    @property
    def student(self) -> str:
        """Who is being graded now; "" before the first one."""
        return self._current

    def show(self, student: str, assignment: str) -> None:
        """Say that this student's submission is being graded now."""
        if student == self._current:
            return
        if not self._current:
            self._bar.start()
            atexit.register(self._finish)
        self._current = student
        done = self._position
        self._position = self._students.index(student, done) + 1 if student in self._students[done:] else done + 1
        seconds = time.monotonic() - self._began
        rate = f"{60 * done / seconds:.0f} a minute" if done else ""
        self._bar.update(self._task, completed=self._position - 1, student=student, rate=rate)
        if not self._live:
            left = f", about {seconds / done * (len(self._students) - done):.0f} s left" if done else ""
            words = f"grading {assignment}: {student} ({self._position} of {len(self._students)}{left})"
            print(words, file=sys.stderr, flush=True)

    def _finish(self) -> None:
        self._bar.update(self._task, completed=len(self._students))
        self._bar.stop()

"""``syncpoint watch``: collects from nbgrader's exchange what was handed in, grades it, and gives the feedback back."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbgrader.apps.api import NbGraderAPI

from ..course.folder import Course, CourseError
from ..course.intake import TIMESTAMP
from ..nbgrader_hooks.exchange_collect import is_complete
from .display import Display
from .run import Choice, run

RETRY_SECONDS = 60.0  # what could not be done is tried again then, or when somebody hands in
NOT_OUT = "{assignment} was not handed out: there is no {place}. Run `nbgrader release_assignment {assignment}`."


def handed_out(course: Course) -> list[str]:
    """The assignments that lie in the exchange for students."""
    api = NbGraderAPI(config=course.settings())
    return sorted(path.name for path in Path(api.exchange_root, api.course_id, "outbound").glob("*") if path.is_dir())


@dataclass
class Watch:
    """Whoever has handed in an assignment and has no feedback yet gets it.

    All that it knows lies in the course folder and in the exchange: killed at any moment and started again, it does
    what is missing, and nothing twice.

    Attributes:
        course: The course.
        assignment: Its name.
        workers: How many submissions are judged at a time.
        display: Makes what shows one grading.
        note: Told in a sentence what could not be done.
    """

    course: Course
    assignment: str
    workers: int
    display: Callable[[], Display]
    note: Callable[[str], None]
    _seen: frozenset[str] = frozenset()
    _done: dict[str, str] = field(default_factory=dict)  # student: the time of the work that was given back
    _retry: float | None = 0.0  # when to try again; None for not before somebody hands in

    def __post_init__(self) -> None:
        self._api = NbGraderAPI(config=self.course.settings())
        exchange = Path(self._api.exchange_root, self._api.course_id)
        self._inbound, released = exchange / "inbound", exchange / "outbound" / self.assignment
        if not released.is_dir():
            raise CourseError(NOT_OUT.format(assignment=self.assignment, place=released))

    def look(self) -> list[str]:
        """Take up what has come since the last look.

        Returns:
            The students whose feedback was given back.
        """
        found = self._handed_in()
        if found == self._seen and (self._retry is None or time.monotonic() < self._retry):
            return []
        self._seen = found
        collected = self._succeeded(self._api.collect(self.assignment))
        todo = {student: when for student, when in self._times("submitted").items() if self._done.get(student) != when}
        if todo:
            run(self.course, self.assignment, Choice(tuple(sorted(todo)), self.workers), self.display())
        graded = self._times("autograded")
        given = [student for student, when in sorted(todo.items()) if graded.get(student) == when]
        given = [student for student in given if self._give_back(student, todo[student])]
        self._done |= {student: todo[student] for student in given}
        complete = collected and len(given) == len(todo)
        self._retry = None if complete else time.monotonic() + RETRY_SECONDS
        return given

    def _handed_in(self) -> frozenset[str]:
        """The names of the complete submissions that lie in the exchange."""
        names = set()
        for folder in self._inbound.glob(f"*+{self.assignment}+*"):
            try:
                names |= {folder.name} if is_complete(folder) else set()
            except OSError:  # taken away meanwhile
                continue
        return frozenset(names)

    def _times(self, step: str) -> dict[str, str]:
        """When what lies in submitted/, autograded/ or feedback/ was handed in, for each student."""
        found = {}
        for folder in (self.course.root / step).glob(f"*/{self.assignment}"):
            stamp = folder / TIMESTAMP
            found[folder.parent.name] = stamp.read_text(errors="replace") if stamp.is_file() else ""
        return found

    def _give_back(self, student: str, when: str) -> bool:
        """Write a student's pages, unless they are there, and release them.  Returns whether all went well."""
        written = self._times("feedback").get(student) == when
        written = written or self._succeeded(self._api.generate_feedback(self.assignment, student, force=True))
        return written and self._succeeded(self._api.release_feedback(self.assignment, student))

    def _succeeded(self, done: dict[str, Any]) -> bool:
        if done.get("log"):
            self.note(str(done["log"]).strip())
        if not done["success"]:
            self.note(str(done.get("error", "")).strip().rpartition("\n")[2])
        return bool(done["success"])

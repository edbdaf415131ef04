"""The assignments in the exchange that can be watched."""

from pathlib import Path

from ..core.errors import SyncpointError
from ..course.errors import CourseError
from ..grading.run import check_assignment
from ..nbgrader_hooks.feedback_level import HERE
from .progress import Progress

NOT_OUT = "{assignment} was not released: there is no {place}. Run `nbgrader release_assignment {assignment}`."
ALL_SHOWN = (
    "{assignment}: before_due = {level!r}, but c.GenerateFeedback.preprocessors in nbgrader_config.py does not name "
    "{here}: students would see everything. Add it."
)


class Assignments:
    """The assignments in the exchange's folder ``outbound``."""

    def __init__(self, progress: Progress, outbound: Path) -> None:
        self._progress, self._course, self._outbound = progress, progress.course, outbound
        self._checked: set[str] = set()

    def check(self, assignment: str) -> None:
        """Check that an assignment can be watched, or raise CourseError."""
        released = self._outbound / assignment
        if not released.is_dir():
            raise CourseError(NOT_OUT.format(assignment=assignment, place=released))
        check_assignment(self._course, assignment)
        level = self._course.rules(assignment).before_due
        if level != "all" and HERE not in map(str, self._course.settings().GenerateFeedback.get("preprocessors", ())):
            raise CourseError(ALL_SHOWN.format(assignment=assignment, level=level, here=HERE))

    def released(self) -> list[str]:
        """The assignments in the exchange that can be watched."""
        found = sorted(path.name for path in (self._outbound).glob("*") if path.is_dir())
        for name in found:
            if name not in self._checked and not self._progress.is_postponed(name):
                try:
                    self.check(name)
                except (SyncpointError, OSError) as problem:
                    self._progress.skip(name, problem)
                else:
                    self._checked.add(name)
        return [name for name in found if name in self._checked]

"""Summarizes at the end of a run for whom feedback was written and whose pages were kept."""

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from nbgrader.converters import GenerateFeedback

from ..core.names import some
from ..course.shared_files import SharedFiles

NOTHING = "nothing was done"
BECAUSE = "nothing was graded since then; --force writes their pages again"


class RunSummary:
    """Counts the submissions of a run and reports them."""

    def __init__(self, converter: GenerateFeedback):
        self._converter = converter
        self._taken: list[str] = []
        self._left: list[str] = []
        self._initialise: Callable[[str, str], bool] = converter.init_destination
        converter.init_destination = self._note

    def _note(self, assignment: str, student: str) -> bool:
        takes = self._initialise(assignment, student)
        (self._taken if takes else self._left).append(student)
        return takes

    def tell(self) -> None:
        """Link the shared files of what was written, and print the summary.  nbgrader has reported failures itself."""
        coursedir = self._converter.coursedir
        place = Path(self._converter._format_dest(coursedir.assignment_id, "."))
        written = [name for name in self._taken if os.path.isdir(place.parent / name / coursedir.assignment_id)]
        shared = SharedFiles(Path(coursedir.root), coursedir.assignment_id)
        for name in written:
            shared.share(place.parent / name / coursedir.assignment_id)
        excluded = set(coursedir.student_id_exclude.split(",")) & set(self._left)
        left = [student for student in self._left if student not in excluded]
        lines = []
        if written:
            shown = f"{self._converter._output_directory}/<student>/{coursedir.assignment_id}/"
            lines.append(f"Wrote feedback for {_count(written)}, in {shown}: {some(map(repr, sorted(written)))}.")
        if left:
            lines.append(f"Kept the pages of {_count(left)} ({some(map(repr, sorted(left)))}): {BECAUSE}.")
        if excluded:
            lines.append(f"Excluded {_count(excluded)} by student_id_exclude: {some(map(repr, sorted(excluded)))}.")
        if not self._taken:
            lines.insert(0, f"{NOTHING}.")
        for line in lines:
            print(f"{coursedir.assignment_id}: {line}", file=sys.stderr, flush=True)


def _count(students: Iterable[str]) -> str:
    number = len(list(students))
    return f"{number} submission{'' if number == 1 else 's'}"

"""Assignments handed out by nbgrader's exchange: only a release with all its files.

``c.ExchangeFactory.release_assignment`` names it.
"""

from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from ..core.names import some
from ..course.folder import Course, CourseError
from ..course.release import missing_files

MISSING = (
    "release/{name} lacks {files}, so it was not released: run `nbgrader generate_assignment {name}` first, which adds "
    "the files that are not in git."
)


class ReleaseAssignment(ExchangeReleaseAssignment):
    """nbgrader's, which would hand out the incomplete release of a fresh clone."""

    def init_src(self) -> None:
        """Find the release, and refuse one that lacks a file."""
        super().init_src()
        name = self.coursedir.assignment_id
        try:
            missing = missing_files(Course(Path(self.coursedir.root).absolute()), name, Path(self.src_path))
        except CourseError as problem:
            self.fail(str(problem))
        if missing:
            self.fail(MISSING.format(name=name, files=some(missing)))

"""Fetches an assignment with the student's own values, if the course has variants of it.

``c.ExchangeFactory.fetch_assignment`` on a student's server names it.
"""

import shutil
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

VARIANTS = "variants"  # in the exchange: a folder for each assignment, and in it for each student
NO_VARIANT = (
    "There is no variant of {name} for you yet. Ask your teacher to run `syncpoint variants {name}` and "
    "`nbgrader release_assignment {name} --force`."
)


class FetchAssignment(ExchangeFetchAssignment):
    """nbgrader's, with the files of the student's variant in the place of those of the release."""

    def init_src(self) -> None:
        """Find the release and the student's variant; fail if only others have one."""
        super().init_src()
        variants = Path(self.course_path, VARIANTS, self.coursedir.assignment_id)
        self._own = variants / self.coursedir.student_id
        if variants.is_dir() and not self._own.is_dir():
            self.fail(NO_VARIANT.format(name=self.coursedir.assignment_id))

    def do_copy(self, src: str, dest: str) -> None:
        """Copy the files, but for those that the student has."""
        is_new, has_own = not Path(dest).is_dir(), self._own.is_dir()
        if has_own and not is_new:
            super().do_copy(str(self._own), dest)
        super().do_copy(src, dest)
        if has_own and is_new:
            shutil.copytree(self._own, dest, dirs_exist_ok=True)

"""Fetches an assignment with the student's own values (``c.ExchangeFactory.fetch_assignment`` on their server)."""

import shutil
import tempfile
from pathlib import Path

from nbgrader.exchange.default import ExchangeFetchAssignment

from ..course.variants import TEXT

VARIANTS = "variants"  # in the exchange: a folder for each assignment, and in it for each student
NO_VARIANT = (
    "There is no variant of {name} for you yet. Ask your teacher to run `syncpoint variants {name}` and "
    "`nbgrader release_assignment {name} --force`."
)


class FetchAssignment(ExchangeFetchAssignment):
    """nbgrader's fetcher, with the files of the student's variant instead of the release's."""

    def do_copy(self, src: str, dest: str) -> None:
        """Copy the files that the student lacks, but none with the release's values."""
        own = Path(self.course_path, VARIANTS, self.coursedir.assignment_id, self.coursedir.student_id)
        with tempfile.TemporaryDirectory() as folder:
            whole = Path(folder, "release")
            shutil.copytree(src, whole)
            if own.is_dir():
                shutil.copytree(own, whole, dirs_exist_ok=True)
            elif any(TEXT in path.read_text(encoding="utf-8") for path in whole.rglob("*.ipynb")):
                self.fail(NO_VARIANT.format(name=self.coursedir.assignment_id))
            super().do_copy(str(whole), dest)

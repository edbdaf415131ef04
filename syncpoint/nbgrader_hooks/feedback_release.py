"""Releases feedback through nbgrader's exchange; a file missing for one student does not stop the others.

``c.ExchangeFactory.release_feedback`` names it.
"""

import glob
import sys
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import check_directory

from ..check.status import MOST, SECRET
from ..course.intake import TIMESTAMP

NO_SECRET = (
    "{assignment}: not released: the feedback of {students}. The exchange finds their pages by a secret that "
    "`nbgrader submit` creates. Their work was not submitted through the exchange, or the secret cannot be read: give "
    "them feedback/<student>/{assignment}/ another way."
)
RELEASED = "{assignment}: released the feedback of {students}."
NO_EXCHANGE = (
    "{assignment}: nothing was released: {root} does not exist, or you may not write to it. Name the folder of your "
    "exchange in nbgrader_config.py (c.Exchange.root), or give feedback/<student>/{assignment}/ back another way."
)
NOBODY = "{assignment}: there is no feedback to release: run `nbgrader generate_feedback {assignment}` first."


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases like nbgrader, which needs a time stamp and a secret next to each page and fails without them."""

    def ensure_root(self) -> None:
        """Check that there is an exchange; nbgrader would tell instructors to ask the instructor."""
        if not check_directory(self.root, write=True, execute=True):
            self.fail(NO_EXCHANGE.format(assignment=self.coursedir.assignment_id, root=self.root))

    def copy_files(self) -> None:
        """Release the pages of all students who submitted through the exchange, and name the others."""
        assignment, wanted = self.coursedir.assignment_id, self.coursedir.student_id or "*"
        pattern = self.coursedir.format_path(self.coursedir.feedback_directory, wanted, assignment)
        folders = {path.parent.name: path for path in map(Path, sorted(glob.glob(pattern))) if any(path.glob("*.html"))}
        without = sorted(student for student, folder in folders.items() if not secret_of(folder))
        for folder in folders.values():
            if not (folder / TIMESTAMP).exists():
                (folder / TIMESTAMP).write_text("")  # nbgrader writes it into its log, and nowhere else
        if not folders:
            self.fail(NOBODY.format(assignment=assignment))
        excluded = self.coursedir.student_id_exclude
        self.coursedir.student_id_exclude = ",".join([*filter(None, [excluded]), *without])
        try:
            super().copy_files()
        finally:
            self.coursedir.student_id_exclude = excluded
        released = sorted(set(folders) - set(without) - set(excluded.split(",")))
        for sentence, students in {RELEASED: released, NO_SECRET: without}.items():
            if students:
                print(sentence.format(assignment=assignment, students=", ".join(students)), file=sys.stderr)


def secret_of(folder: Path) -> str:
    """Return the secret next to a student's work or pages; "" if there is none that nbgrader can use."""
    try:
        with (folder / SECRET).open("rb") as file:
            content = file.read(MOST + 1)
        return content.decode() if len(content) <= MOST else ""
    except (OSError, ValueError):
        return ""

"""Releases feedback; one missing file does not stop the others (``c.ExchangeFactory.release_feedback`` names it)."""

import glob
import sys
from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import check_directory, notebook_hash

from ..check.status import MAX_SECRET_CHARACTERS, SECRET
from ..course.shared_files import linked_or_copied

NO_SECRET = (
    "{assignment}: not released: the feedback of {students}. The exchange needs a secret that `nbgrader submit` "
    "creates. Their work came another way, or the secret cannot be read: send them feedback/<student>/{assignment}/."
)
BY_A_PARTNER = (
    "{assignment}: not released: the feedback of {students}, who submitted nothing themselves. If they submit the "
    "unchanged notebook with `nbgrader submit`, the next release gives them the pages of their group's work."
)
RELEASED = "{assignment}: released the feedback of {students}."
NO_EXCHANGE = (
    "{assignment}: nothing was released: {root} does not exist, or you may not write to it. Name the folder of your "
    "exchange in nbgrader_config.py (c.Exchange.root), or send students feedback/<student>/{assignment}/ yourself."
)
NOBODY = "{assignment}: there is no feedback to release: run `nbgrader generate_feedback {assignment}` first."


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Releases like nbgrader, but a page without a secret does not stop it."""

    def ensure_root(self) -> None:
        """Check that there is an exchange; nbgrader would tell instructors to contact the instructor."""
        if not check_directory(self.root, write=True, execute=True):
            self.fail(NO_EXCHANGE.format(assignment=self.coursedir.assignment_id, root=self.root))

    def copy_files(self) -> None:
        """Release the pages of all students who submitted through the exchange, and name the others."""
        assignment, wanted = self.coursedir.assignment_id, self.coursedir.student_id or "*"
        pattern = self.coursedir.format_path(self.coursedir.feedback_directory, wanted, assignment)
        folders = {path.parent.name: path for path in map(Path, sorted(glob.glob(pattern))) if any(path.glob("*.html"))}
        without = sorted(student for student, folder in folders.items() if not secret_of(folder))
        if not folders:
            self.fail(NOBODY.format(assignment=assignment))
        released = sorted(set(folders) - set(without) - set(self.coursedir.student_id_exclude.split(",")))
        for student in released:
            self._release(folders[student])
        by_a_partner = [student for student in without if not self._submitted(student)]
        lost = [student for student in without if student not in by_a_partner]
        for sentence, students in {RELEASED: released, BY_A_PARTNER: by_a_partner, NO_SECRET: lost}.items():
            if students:
                print(sentence.format(assignment=assignment, students=", ".join(students)), file=sys.stderr)

    def _release(self, folder: Path) -> None:
        """Put a student's pages into the exchange, each under a name that only the student can compute.

        A page has the same bytes there, so it is linked: whoever makes a page again makes a new file.
        """
        secret = (folder / SECRET).read_text()
        for page in sorted(folder.glob("*.html")):
            name = notebook_hash(secret=secret, notebook_id=page.stem)
            part, released = (Path(self.dest_path, f"{name}{ending}.html") for ending in ("-tmp", ""))
            if released.exists() and released.samefile(page):
                continue
            part.unlink(missing_ok=True)
            linked_or_copied(page, part)
            part.replace(released)

    def _submitted(self, student: str) -> bool:
        coursedir = self.coursedir
        return Path(coursedir.format_path(coursedir.submitted_directory, student, coursedir.assignment_id)).exists()


def secret_of(folder: Path) -> str:
    """Return the secret next to a student's work or pages; "" if nbgrader cannot use one."""
    try:
        with (folder / SECRET).open("rb") as file:
            content = file.read(MAX_SECRET_CHARACTERS + 1)
        return content.decode() if len(content) <= MAX_SECRET_CHARACTERS else ""
    except (OSError, ValueError):
        return ""

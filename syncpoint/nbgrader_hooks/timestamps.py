"""The folders of submissions as nbgrader sees them: names and time stamps come from outside, and may hold anything."""

import os
import stat
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import parse_utc

from ..core.errors import CannotGrade
from ..course.intake import TIMESTAMP

MAX_BYTES = 200


class OddName(CannotGrade):
    """A folder's name that cannot be a student's; the text says why and what to do."""

    def __init__(self, folder: Path):
        super().__init__(
            f"{str(folder)!r} has a line break, another control character or one of * ? [ in it. Rename it."
        )


class LinkedFolder(CannotGrade):
    """A submission that lies elsewhere, perhaps with another student; the text says what to do."""

    def __init__(self, folder: Path):
        super().__init__(f"{folder} is a link to another folder. Put a folder with the student's own work there.")


def check_name(folder: Path) -> None:
    """Refuse a submission whose folder is in one that no student should have.

    nbgrader takes * ? [ for patterns: such a folder would be taken for those of others.

    Raises:
        OddName: If it is so.
    """
    name = folder.parent.name
    if not name.isprintable() or set(name) & set("*?["):
        raise OddName(folder.parent)


def linked(folder: Path) -> bool:
    """Whether the folder of a submission, or of its student, is a link: what is behind it may be anybody's."""
    return folder.is_symlink() or folder.parent.is_symlink()


class Submissions(CourseDirectory):
    """nbgrader's folders of a course: an odd name loses one student and not the class, an odd time stamp nobody."""

    @classmethod
    def like(cls, other: CourseDirectory) -> "Submissions":
        """The same folders."""
        return cls(parent=other.parent, **{name: getattr(other, name) for name in other.trait_names(config=True)})

    def format_path(self, nbgrader_step: str, student_id: str, assignment_id: str, escape: bool = False) -> str:
        """Return a path, or a pattern that takes line breaks in paths: nbgrader ends its run at a path without a match.

        Raises:
            LinkedFolder: For a submission that is one: nbgrader would walk through all that lies behind it.
        """
        path = super().format_path(nbgrader_step, student_id, assignment_id, escape=escape)
        if nbgrader_step == self.submitted_directory and not escape and linked(Path(path)):
            raise LinkedFolder(Path(path))
        return f"(?s){path}" if escape else path

    def get_existing_timestamp(self, dest_path: str) -> datetime | None:
        """Return the time in UTC, or None.  It is the first thing that nbgrader asks of a submission.

        Raises:
            OddName: If its folder is in one that no student should have.
        """
        folder = Path(dest_path)
        check_name(folder)
        return None if holds_no_time(folder) else super().get_existing_timestamp(dest_path)


def holds_no_time(folder: Path) -> bool:
    """Whether there is a time stamp, and it is none: no text, too long, not a file."""
    path = folder / TIMESTAMP
    if not os.path.lexists(path):
        return False
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode) or state.st_size > MAX_BYTES:
        return True
    try:
        text = path.read_text().strip()
        return bool(text) and parse_utc(text) is None
    except Exception:  # nbgrader's parser raises many kinds
        return True

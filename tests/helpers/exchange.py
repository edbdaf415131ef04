"""nbgrader's exchange for a small course, with submissions as `nbgrader submit` leaves them."""

import getpass
import json
import shutil
from pathlib import Path
from typing import Any

from classroom import SmallCourse

ME = getpass.getuser()  # whose files a test can make: a student of that name
EARLIER, LATER = "2026-10-01 10:00:00.000000 UTC", "2026-10-02 10:00:00.000000 UTC"


def with_exchange(course: SmallCourse, place: Path) -> SmallCourse:
    """Hand the course's assignment out, by an exchange in a new folder, as `nbgrader release_assignment` leaves it."""
    course.configure(f"c.Exchange.root = {str(place)!r}\n")
    shutil.copytree(course.root / "release" / "async", place / "syncpoint" / "outbound" / "async")
    (place / "syncpoint" / "inbound").mkdir()
    (place / "syncpoint" / "inbound").chmod(0o733)
    place.chmod(0o1777)
    return course


def inbound(course: SmallCourse) -> Path:
    """Return the folder for submissions."""
    return course.root.parent / "exchange" / "syncpoint" / "inbound"


def hand_in(course: SmallCourse, student: str, time: str = EARLIER, work: str | dict[str, Any] = "work") -> Path:
    """Submit a notebook, or any text, as work.ipynb."""
    folder = inbound(course) / f"{student}+async+{time}+abcd"
    folder.mkdir()
    (folder / "work.ipynb").write_text(work if isinstance(work, str) else json.dumps(work))
    (folder / "timestamp.txt").write_text(time)
    (folder / "submission_secret.txt").write_text(f"the secret of {student}, {time}")
    folder.chmod(0o777)
    return folder

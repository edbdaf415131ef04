"""nbgrader's exchange for a small course, with submissions as `nbgrader submit` leaves them."""

import getpass
import json
import shutil
from pathlib import Path
from typing import Any, TypeVar

from classroom import BIN, ROOT, SmallCourse
from nbgrader.utils import notebook_hash

from syncpoint.check.status import Exchange, status

ME = getpass.getuser()  # whose files a test can make: a student of that name
Course = TypeVar("Course", bound=SmallCourse)
EARLIER, LATER = "2026-10-01 10:00:00.000000 UTC", "2026-10-02 10:00:00.000000 UTC"


def with_exchange(course: Course, place: Path) -> Course:
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


def given_back(course: SmallCourse) -> int:
    """How many pages lie in the exchange for students."""
    return len(list((inbound(course).parent / "feedback").glob("*.html")))


def news(course: SmallCourse, student: str) -> tuple[str, list[str]]:
    """What ``%syncpoint status`` shows this student, who finds it by what `nbgrader submit` has left at their side."""
    cache = course.root.parent / f"cache of {student}"
    for folder in inbound(course).glob(f"{student}+async+*"):
        mine = cache / "syncpoint" / folder.name.rsplit("+", 1)[0]
        mine.mkdir(parents=True, exist_ok=True)
        (mine / "submission_secret.txt").write_text((folder / "submission_secret.txt").read_text())
    return status(Path(student, "async"), Exchange(inbound(course).parents[1], cache))


def page_of(course: SmallCourse, student: str, time: str = EARLIER) -> str:
    """The page that `nbgrader fetch_feedback` finds for the work that this student submitted then; "" if there is none.

    It looks for the secret of that submission.
    """
    (folder,) = inbound(course).glob(f"{student}+async+{time}+*")
    name = notebook_hash(secret=(folder / "submission_secret.txt").read_text(), notebook_id="work")
    page = inbound(course).parent / "feedback" / f"{name}.html"
    return page.read_text() if page.is_file() else ""


def speak(course: SmallCourse, student: str, language: str) -> None:
    """Give a student a language, as the roster does, and the course the words for it."""
    (course.root / "locale" / language).mkdir(parents=True)
    shutil.copy(ROOT / "locale" / language / "report.po", course.root / "locale" / language)
    (course.root / "roster.csv").write_text(f"id,language\n{student},{language}\n")
    course.must_run(str(BIN / "syncpoint"), "roster", "roster.csv")

"""Brightspace: how it names files, and the CSV file that its grade book imports.

Files: a folder for each submission, and ``index.html``, a list of them.

``39786-640693 - Ada Lovelace - Mar 1, 2026 1159 PM/work.ipynb``: numbers of the user and of the assignment, the name,
the time.  Some versions make files of such names, ``... 1159 PM - work.ipynb``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ..records.grades import StudentGrades
from .download import Download, Member, Platform, Sender, Upload, like
from .export import UserNameExport

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
DATE = (
    r"(?:(?P<month>[^\W\d]+)\.? (?P<day>[0-9]{1,2}), (?P<year>[0-9]{4})"
    r"|[0-9]{1,2}\.? (?:de )?[^\W\d]+\.?,? (?:de )?[0-9]{4}|[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r" (?P<hour>[0-9]{1,2})[:.]?(?P<minute>[0-9]{2})(?: ?(?P<half>[AP])M)?"
)
NAME = re.compile(rf"(?P<who>[0-9]+-[0-9]+ - (?P<name>.+?)) - (?P<date>{DATE})(?: - (?P<called>.+))?", re.IGNORECASE)
LIST = "index.html"
UNREADABLE = "it came several times, and not all of the dates can be read"


class BrightspaceExport(UserNameExport):
    """The columns of Brightspace's sample file: the user name, and one for each assignment.

    A grade item is found by its name, ``Homework 1 Points Grade``.

    Format: https://community.d2l.com/brightspace/kb/articles/3538-importing-grades.
    """

    file = "brightspace.csv"

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        yield ["Username", *(f"{self.title(name)} Points Grade" for name in assignments), "End-of-Line Indicator"]
        for student in students:
            yield [self.user_name(student), *self.cells(student, assignments), "#"]


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders; of several submissions, the newest file of each name is taken."""
    uploads: dict[str, Upload] = {}
    dates: dict[str, set[str]] = {}
    left_out = []
    for member in members:
        found = NAME.fullmatch(member.path[0])
        path = (*filter(None, [found["called"]]), *member.path[1:]) if found else ()
        if not found or not path:
            if member.path != (LIST,):
                left_out.append((member.name, "its name does not follow Brightspace's pattern"))
            continue
        time = _time(found)
        this = uploads.setdefault(found["who"], Upload(Sender(found["who"], name=found["name"], local=time)))
        dates.setdefault(found["who"], set()).add(found["date"])
        last = this.sender.local
        if time is None or last is None:
            doubt = UNREADABLE if len(dates[found["who"]]) > 1 else ""
            this.sender = replace(this.sender, local=None, doubt=doubt)
        else:
            this.sender = replace(this.sender, local=max(time, last))
        left_out += this.add(path, replace(member, order=int(f"{time:%Y%m%d%H%M}") if time else 0))
    return Download(PLATFORM.name, list(uploads.values()), left_out) if uploads else None


def _time(found: re.Match[str]) -> datetime | None:
    """Return the time in a name, if it is in English."""
    month = (found["month"] or "")[:3].lower()
    if month not in MONTHS or not found["half"]:
        return None
    hour = int(found["hour"]) % 12 + (12 if found["half"] in "Pp" else 0)
    try:
        return datetime(int(found["year"]), MONTHS.index(month) + 1, int(found["day"]), hour, int(found["minute"]))
    except ValueError:
        return None


PLATFORM = Platform("Brightspace", like(NAME), read)

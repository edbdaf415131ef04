"""Blackboard: how it names files, and the CSV file that its gradebook imports.

``Homework 1_ada_attempt_2026-03-01-23-59-10_work.ipynb``: the assignment, the user, when this attempt came, the file.
``Homework 1_ada_attempt_2026-03-01-23-59-10.txt`` is Blackboard's own; its first line is ``Name: Ada Lovelace (ada)``,
its label in the language of the course.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from ..core.limits import MIB
from ..core.spreadsheet import guarded
from ..records.grades import StudentGrades
from .download import CollectError, Download, Member, Oversized, Platform, Sender, Upload, like, shared_start
from .export import UserNameExport

# The first "attempt" in a name is Blackboard's; a later one belongs to the student's file name.
FILE = re.compile(r"(?P<who>.+?)_attempt_(?P<time>[0-9]{4}(?:-[0-9]{2}){5})(?:_(?P<called>.+)|\.txt)")
NAME = re.compile(r"[^:\uff1a]+[:\uff1a]\s*(?P<name>.*?)\s*\((?P<user>[^()]+)\)\s*")
SEVERAL_USERS = "it is unclear where the assignment's name ends and the user's begins"
OTHER_USER = "its text file names another user"
COLUMN = re.compile(r".+\|\s*[0-9]+")


class BlackboardExport(UserNameExport):
    """The columns of Blackboard's own download that its upload reads: the user name, and one for each assignment.

    An assignment is found by the number at the end of its title, ``Homework 1 [Total Pts: 8 Score] |4711``.

    Format: https://help.blackboard.com/Learn/Instructor/Ultra/Grade/Grading_Tasks/Work_Offline_With_Grade_Data.
    """

    file, quoted = "blackboard.csv", True

    def odd_titles(self, assignments: Sequence[str]) -> Iterator[str]:
        for name in assignments:
            if not COLUMN.fullmatch(self.title(name)):
                yield (
                    f"{name}: Blackboard finds a column by the number in its title: copy the title from the gradebook "
                    "that you download into BlackboardExport.titles. Otherwise Blackboard adds a new text column."
                )

    def rows(self, students: Sequence[StudentGrades], assignments: dict[str, float]) -> Iterator[list[str]]:
        yield ["Last Name", "First Name", "Username", *map(self.title, assignments)]
        for student in students:
            names = (guarded(student.last_name), guarded(student.first_name))
            yield [*names, self.user_name(student), *self.cells(student, assignments)]


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders; of several attempts, the newest file of each name is taken."""
    attempts: dict[str, list[tuple[re.Match[str], Member]]] = defaultdict(list)
    left_out = []
    for member in members:
        found = FILE.fullmatch(member.path[0]) if len(member.path) == 1 else None
        if found is None:
            left_out.append((member.name, "its name does not follow Blackboard's pattern"))
        else:
            attempts[found["who"]].append((found, member))
    uploads = []
    for who, files in attempts.items():
        texts = {_texts_in(member) for found, member in files if not found["called"]} - {("", "")}
        newest = max(found["time"] for found, _ in files)
        this = Upload(replace(_sender(who, texts, attempts), local=_time(newest)))
        for found, member in files:
            if found["called"]:
                order = int(found["time"].replace("-", ""))
                left_out += this.add((found["called"],), replace(member, order=order))
        uploads.append(this)
    return Download(PLATFORM.name, uploads, left_out) if uploads else None


def _sender(who: str, texts: set[tuple[str, str]], everybody: Collection[str]) -> Sender:
    """Return a file's sender: from Blackboard's text, else from the part after the names' common beginning."""
    if texts:
        ((name, user), *others) = texts
        doubt = "" if not others and who.casefold().endswith(f"_{user}".casefold()) else OTHER_USER
        return Sender(who, (user,), name, doubt=doubt)
    tails = tuple(who[found.end() :] for found in re.finditer("_", who))
    start = shared_start(everybody, "_")
    if not start or (len(everybody) == 1 and len(tails) > 1):
        return Sender(who, tails, doubt=SEVERAL_USERS)
    user = who.removeprefix(f"{start}_")
    return Sender(who, (user,), others=tuple(tail for tail in tails if tail != user))


def _texts_in(text: Member) -> tuple[str, str]:
    """Return name and user from the first line of Blackboard's text; "" if missing."""
    try:
        first = text.read(MIB).decode("utf-8-sig", "replace").partition("\n")[0]
    except (CollectError, Oversized):
        return "", ""
    found = NAME.fullmatch(first)
    return (found["name"], found["user"]) if found else ("", "")


def _time(stamp: str) -> datetime | None:
    try:
        return datetime(*map(int, stamp.split("-")))  # type: ignore[arg-type] # six numbers
    except ValueError:
        return None


PLATFORM = Platform("Blackboard", like(FILE, flat=True), read)

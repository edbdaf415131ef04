"""Google Classroom's folder in Drive: ``Ada Lovelace - work.ipynb``, the student's copy by Classroom.

A student can rename such a file, so its name proves nothing.  Uploaded files keep the student's name for them.
"""

import re
from collections.abc import Callable, Iterator, Sequence

from .download import Download, Member, Platform, Sender, Upload

FILE = re.compile(r"(?P<name>[^0-9]+?) - (?P<called>.+)")
AGAIN = re.compile(r" ?\([0-9]+\)(?=\.[^.]+$|$)")  # what Drive appends to an existing name
RENAMED = "in Google Drive, a student can give a file any name"
SAME_NAME = "several files have this name, and they may be different people's"


def claims(members: Sequence[Member]) -> int:
    """Return how many files are named after people, if they are of several people and in no folders."""
    found = [FILE.fullmatch(member.path[0]) for member in members if len(member.path) == 1]
    names = [one["name"] for one in found if one]
    return len(names) if len(found) == len(members) and len(set(names)) > 1 else 0


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    if not claims(members):
        return None
    uploads: dict[str, Upload] = {}
    for member in members:
        found = FILE.fullmatch(member.path[0])
        who, called = (found["name"], found["called"]) if found else (member.path[0], member.path[0])
        sender = Sender(who, name=found["name"] if found else "", unproven=RENAMED)
        uploads.setdefault(who, Upload(sender)).files[called,] = member
    return Download(PLATFORM.name, [part for one in uploads.values() for part in _parts(one)], [])


def _parts(one: Upload) -> Iterator[Upload]:
    """Return the same files, separately if they may be of several people."""
    if len({AGAIN.sub("", path[0]) for path in one.files}) == len(one.files):
        yield one
        return
    for path, member in one.files.items():
        yield Upload(Sender(member.path[-1], name=one.sender.name, doubt=SAME_NAME), {path: member})


PLATFORM = Platform("Google Classroom", claims, read)

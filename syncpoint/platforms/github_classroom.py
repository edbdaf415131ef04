"""GitHub Classroom: a folder for each student, ``async-submissions/async-ada/work.ipynb``: assignment and user."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .download import Download, Member, Platform, Sender, shared_start
from .folders import by_folder

CLONES = "-submissions"
USER = re.compile(r"[A-Za-z0-9._-]+")


def claims(members: Sequence[Member]) -> int:
    """Return the number of all files, if ``gh classroom clone student-repos`` made their folder."""
    around = {member.path[0] for member in members}
    cloned = len(around) == 1 and around.pop().endswith(CLONES)
    return sum(len(member.path) > 2 for member in members) if cloned else 0


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders; None if its folders do not begin with the name of an assignment."""
    slug = ""
    if claims(members):
        slug = members[0].path[0].removesuffix(CLONES)
        members = [replace(member, path=member.path[1:]) for member in members]
    folders = {member.path[0] for member in members if len(member.path) > 1}
    slug = slug or _slug(folders)
    if not slug or not all(USER.fullmatch(folder.removeprefix(f"{slug}-")) for folder in folders):
        return None
    return by_folder(PLATFORM.name, members, lambda folder: _sender(folder, slug))


def possible_users(folder: str) -> tuple[str, ...]:
    """Return all texts that may follow the assignment's name."""
    pieces = folder.split("-")
    return tuple("-".join(pieces[start:]) for start in range(1, len(pieces)))


def _slug(folders: set[str]) -> str:
    """Return the common beginning of all folders up to a dash: the assignment's name."""
    start = shared_start(folders, "-")
    return "" if len(folders) == 1 and "-" in start else start


def _sender(folder: str, slug: str) -> Sender:
    """Return a folder's student: the part after the assignment's name, or all of it; user names may have dashes."""
    if folder.startswith(f"{slug}-"):
        return Sender(folder, (folder.removeprefix(f"{slug}-"),), kind="github", others=(folder,))
    return Sender(folder, (folder,), kind="github")


PLATFORM = Platform("GitHub Classroom", claims, read, possible_users)

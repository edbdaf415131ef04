"""ILIAS: a folder for each student, ``Lovelace_Ada_ada_4711/work.ipynb``: last name, first name, login and a number.

A team has a folder around those of its members who uploaded something, ``Team 12/Lovelace_Ada_ada_4711/work.ipynb``;
the others are not named.  A late file is ``Late Submission - work.ipynb``, in the language of who downloads it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .download import Download, Member, Parts, Platform, Sender, Upload

SUBMISSION_FOLDER = re.compile(r".+_.+_.+_(?P<number>[0-9]+)")
PARTS = re.compile(r"(?P<name>[^_]+_[^_]+)_(?P<login>[^_]+)_[0-9]+")  # unless names or login contain underscores
TEAM = re.compile(r"\S.* [0-9]+")
SURELY_TEAM = re.compile(r"(?:Team|[EÉ]quipe|Equipo|Squadra|小组|团队) [0-9]+")  # even if it may be an assignment
LATE = re.compile(r"(?:Late Submission|Versp(?:ae|ä)tete Abgabe) - (?P<called>.+)")
NOT_ALL_NAMED = "it is a team's, and ILIAS names only the members who uploaded something"
# a file of earlier ILIAS versions; the time zone is unknown
STAMPED = re.compile(r"(?P<time>[0-9]{14})_(?P<called>.+)")


def claims(members: Sequence[Member]) -> int:
    around = {member.path[0] for member in members}
    if len(around) == 1 and TEAM.fullmatch(name := around.pop()) and not SURELY_TEAM.fullmatch(name):
        return 0  # this is the whole assignment, "Homework 1"
    return sum(_split(member.path) is not None for member in members)


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    if not claims(members):
        return None
    uploads: dict[str, Upload] = {}
    left_out = []
    for member in members:
        if len(member.path) == 1:
            left_out.append((member.name, "not in a student's folder"))
            continue
        team, folder, *path = _split(member.path) or ("", *member.path)
        sender = _sender(folder)
        this = uploads.setdefault(team or folder, Upload(sender))
        if team:
            ids = tuple(dict.fromkeys((*this.sender.ids, *sender.ids)))
            numbers = (*this.sender.numbers, *sender.numbers)
            first = this.sender
            this.sender = replace(first, shown=team, ids=ids, name="", numbers=numbers, doubt=NOT_ALL_NAMED, team=True)
        if late := LATE.fullmatch(path[-1]):
            path[-1], member = late["called"], replace(member, order=1)  # after files that were on time
            this.sender = replace(this.sender, late=True)
        if stamped := STAMPED.fullmatch(path[-1]):
            path[-1], member = stamped["called"], replace(member, order=int(stamped["time"]))
        left_out += this.add(tuple(path), member)
    return Download(PLATFORM.name, list(uploads.values()), left_out)


def possible_users(folder: str) -> tuple[str, ...]:
    """Return the login and the number in the name."""
    return _sender(folder).ids


def _split(path: Parts) -> Parts | None:
    """Return the team or "", a person's folder, and the rest; None if the names are not by ILIAS."""
    if len(path) > 1 and SUBMISSION_FOLDER.fullmatch(path[0]):
        return ("", *path)
    return path if len(path) > 2 and TEAM.fullmatch(path[0]) and SUBMISSION_FOLDER.fullmatch(path[1]) else None


def _sender(folder: str) -> Sender:
    found = SUBMISSION_FOLDER.fullmatch(folder)
    parts = PARTS.fullmatch(folder)
    number, login = found["number"] if found else "", parts["login"] if parts else ""
    name = (parts["name"] if parts else folder).replace("_", " ")
    numbers = (number,) if number != login else ()
    return Sender(folder, tuple(filter(None, (folder, number, login))), name, kind="login", numbers=numbers)


PLATFORM = Platform("ILIAS", claims, read, possible_users)

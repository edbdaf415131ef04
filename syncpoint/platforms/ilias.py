"""ILIAS: a folder for each student, ``Lovelace_Ada_ada_4711/work.ipynb``: last name, first name, login and a number."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .download import Download, HandedIn, Member, Platform, Sender

FOLDER = re.compile(r".+_.+_.+_(?P<number>[0-9]+)")
PARTS = re.compile(r"(?P<name>[^_]+_[^_]+)_(?P<login>[^_]+)_[0-9]+")  # unless names or login have such dashes, too
STAMPED = re.compile(r"(?P<time>[0-9]{14})_(?P<called>.+)")  # a file of earlier ILIAS; in which zone is not known


def claims(members: Sequence[Member]) -> int:
    """How many files are in folders that are named as ILIAS names them."""
    return sum(len(member.path) > 1 and FOLDER.fullmatch(member.path[0]) is not None for member in members)


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders.

    Returns:
        What it holds; None if ILIAS did not make it.
    """
    handed_in: dict[str, HandedIn] = {}
    left_out = []
    for member in members:
        folder, *path = member.path
        if not path:
            left_out.append((folder, "in no student's folder"))
            continue
        this = handed_in.setdefault(folder, HandedIn(_sender(folder)))
        if stamped := STAMPED.fullmatch(path[-1]):
            path[-1], member = stamped["called"], replace(member, order=int(stamped["time"]))
        left_out += this.add(tuple(path), member)
    return Download(PLATFORM.name, list(handed_in.values()), left_out) if claims(members) else None


def possible_users(folder: str) -> tuple[str, ...]:
    """Its login and its number."""
    return _sender(folder).ids


def _sender(folder: str) -> Sender:
    found = FOLDER.fullmatch(folder)
    parts = PARTS.fullmatch(folder)
    ids = (folder, found["number"] if found else "", parts["login"] if parts else "")
    return Sender(folder, tuple(filter(None, ids)), parts["name"].replace("_", " ") if parts else "")


PLATFORM = Platform("ILIAS", claims, read, possible_users)

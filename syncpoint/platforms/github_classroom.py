"""GitHub Classroom: a folder for each student, ``async-submissions/async-ada/work.ipynb``: assignment and user.

Folders that are named after students alone are also taken, whoever made them, and ILIAS's
(``Lovelace_Ada_ada_4711``: last name, first name, login and a number).
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .download import Download, HandedIn, Member, Parts, Sender, doubted_if_alone

CLONES = "-submissions"
NOTEBOOK = ".ipynb"
ILIAS = re.compile(r"(?P<name>[^_]+_[^_]+)_(?P<login>[^_]+)_(?P<number>[0-9]+)")
STAMPED = re.compile(r"(?P<time>[0-9]{14})_(?P<called>.+)")  # a file of ILIAS; the clock of its time is not known


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders.

    Returns:
        What it holds; None if there is no folder in it.
    """
    around = _around(members, is_student)
    inside = [replace(member, path=member.path[len(around) :]) for member in members if _lies_in(member.path, around)]
    left_out = [(member.name, "not in a student's folder") for member in members if not _lies_in(member.path, around)]
    folders = {member.path[0] for member in inside if len(member.path) > 1}
    slug = around[-1].removesuffix(CLONES) if around and around[-1].endswith(CLONES) else _slug(folders)
    handed_in: dict[str, HandedIn] = {}
    for member in inside:
        if len(member.path) == 1:
            left_out.append((member.path[0], "not in a student's folder"))
            continue
        folder, *path = member.path
        this = handed_in.setdefault(folder, HandedIn(_sender(folder, slug)))
        if (stamped := STAMPED.fullmatch(path[-1])) and ILIAS.fullmatch(folder):
            path[-1], member = stamped["called"], replace(member, order=int(stamped["time"]))
        other = this.files.get(tuple(path))
        if other is not None:
            left_out.append((min(other, member, key=lambda one: one.order).name, "there is a newer one of this name"))
        if other is None or other.order < member.order:
            this.files[tuple(path)] = member
    if not handed_in:
        return None
    found = Download("folders", list(handed_in.values()), left_out)
    return found if around and around[0].endswith(CLONES) else doubted_if_alone(found, around)


def possible_users(folder: str) -> tuple[str, ...]:
    """Return the students to whom a folder may belong by its name, for any name of the assignment."""
    pieces = folder.split("-")
    ilias = ILIAS.fullmatch(folder)
    return (
        *("-".join(pieces[start:]) for start in range(len(pieces))),
        *(ilias.group("login", "number") if ilias else ()),
    )


def _around(members: Sequence[Member], is_student: Callable[[str], bool]) -> Parts:
    # A folder is looked into only if it is the only one, is nobody's by its name and holds no notebook itself.
    around: Parts = ()
    while True:
        below = [member.path[len(around) :] for member in members if _lies_in(member.path, around)]
        folders = {path[0] for path in below if len(path) > 1}
        if len(folders) != 1 or (around and around[-1].endswith(CLONES)):
            return around
        (folder,) = folders
        inside = [path[1:] for path in below if path[0] == folder and len(path) > 1]
        holds_work = all(len(path) == 1 for path in inside) or any(
            len(path) == 1 and path[0].endswith(NOTEBOOK) for path in inside
        )
        if holds_work or is_student(folder):
            return around
        around = (*around, folder)


def _lies_in(path: Parts, folders: Parts) -> bool:
    return path[: len(folders)] == folders and len(path) > len(folders)


def _slug(folders: set[str]) -> str:
    """Return the common beginning of all folders up to a dash: the assignment's name."""
    heads = [folder.split("-")[:-1] for folder in folders]
    if len(heads) == 1:
        return heads[0][0] if len(heads[0]) == 1 else ""
    same = []
    for pieces in zip(*heads, strict=False):
        if len(set(pieces)) > 1:
            break
        same.append(pieces[0])
    return "-".join(same)


def _sender(folder: str, slug: str) -> Sender:
    """Return a folder's student: the part after the assignment's name, or all of it; user names may have dashes."""
    if slug and folder.startswith(f"{slug}-"):
        return Sender(folder, (folder.removeprefix(f"{slug}-"),), others=(folder,))
    if ilias := ILIAS.fullmatch(folder):
        return Sender(folder, (folder, *ilias.group("login", "number")), ilias["name"].replace("_", " "))
    return Sender(folder, (folder,))

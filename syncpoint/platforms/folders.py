"""A folder or zip file for each student, whoever made it: ``ada/work.ipynb``, ``Byron, Bob/work.ipynb``, ``cy.zip``."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from .download import ZIP, Download, Member, Platform, Sender, Upload

APART = re.compile(r"[\s_,]+")  # separates the names of a person


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    zipped = {member.path[0] for member in members if len(member.path) == 1 and member.path[0].lower().endswith(ZIP)}
    inside = [replace(one, path=one.path * 2) if one.path[0] in zipped else one for one in members]
    return by_folder(PLATFORM.name, inside, lambda name: _sender(name, name[: -len(ZIP)] if name in zipped else name))


def by_folder(platform: str, members: Sequence[Member], sender: Callable[[str], Sender]) -> Download | None:
    """Sort files by their folder; None if there is none."""
    uploads: dict[str, Upload] = {}
    left_out = []
    for member in members:
        if len(member.path) == 1:
            left_out.append((member.path[0], "not in a student's folder"))
            continue
        folder, *path = member.path
        uploads.setdefault(folder, Upload(sender(folder))).files[tuple(path)] = member
    return Download(platform, list(uploads.values()), left_out) if uploads else None


def possible_users(folder: str) -> tuple[str, ...]:
    return (folder,)


def _sender(shown: str, folder: str) -> Sender:
    names = APART.split(folder.strip())
    return Sender(shown, (folder,), " ".join(names) if len(names) > 1 else "")


PLATFORM = Platform("folders", lambda members: 0, read, possible_users)  # anybody may give a folder such a name

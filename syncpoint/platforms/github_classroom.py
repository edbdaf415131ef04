"""GitHub Classroom: a folder for each student, ``async-submissions/async-ada/work.ipynb``: assignment and user.

Folders that are named after students alone are taken, too, whoever made them.
"""

import os.path
from collections.abc import Sequence
from dataclasses import replace

from .download import Download, HandedIn, Member, Sender

CLONES = "-submissions"


def read(members: Sequence[Member]) -> Download | None:
    """Sort a download by senders.

    Returns:
        What it holds; None if there is no folder in it.
    """
    # A student's folder stays, also if it is the only one.
    around = os.path.commonprefix([member.path[:-2] for member in members])  # noqa: RUF071  # of tuples
    container = next((name for name in around if name.endswith(CLONES)), around[0] if around else "")
    if container:
        level = around.index(container) + 1
        members = [replace(member, path=member.path[level:]) for member in members]
    handed_in: dict[str, HandedIn] = {}
    left_out = []
    for member in members:
        if len(member.path) == 1:
            left_out.append((member.path[0], "in no student's folder"))
            continue
        folder = member.path[0]
        this = handed_in.setdefault(folder, HandedIn(Sender(folder, _users(folder, container))))
        this.files[member.path[1:]] = member
    return Download("folders", list(handed_in.values()), left_out) if handed_in else None


def _users(folder: str, container: str) -> tuple[str, ...]:
    """Whose a folder may be: what stands behind the assignment's name, or behind any of the dashes."""
    slug = container.removesuffix(CLONES) + "-"
    if container.endswith(CLONES) and folder.startswith(slug):
        return (folder.removeprefix(slug),)
    pieces = folder.split("-")
    return tuple("-".join(pieces[start:]) for start in range(len(pieces)))

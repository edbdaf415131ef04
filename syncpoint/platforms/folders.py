"""A folder for each student, whoever made it: ``ada/work.ipynb``."""

from collections.abc import Callable, Sequence

from .download import Download, HandedIn, Member, Platform, Sender


def claims(members: Sequence[Member]) -> int:
    """None: anybody may call a folder so."""
    return 0


def read(members: Sequence[Member], is_student: Callable[[str], bool]) -> Download | None:
    """Sort a download by senders.

    Returns:
        What it holds; None if there is no folder in it.
    """
    return by_folder(PLATFORM.name, members, lambda folder: Sender(folder, (folder,)))


def by_folder(platform: str, members: Sequence[Member], sender: Callable[[str], Sender]) -> Download | None:
    """Sort files by the folder that they are in; None if there is none."""
    handed_in: dict[str, HandedIn] = {}
    left_out = []
    for member in members:
        if len(member.path) == 1:
            left_out.append((member.path[0], "in no student's folder"))
            continue
        folder, *path = member.path
        handed_in.setdefault(folder, HandedIn(sender(folder))).files[tuple(path)] = member
    return Download(platform, list(handed_in.values()), left_out) if handed_in else None


def possible_users(folder: str) -> tuple[str, ...]:
    """The one who is called so."""
    return (folder,)


PLATFORM = Platform("folders", claims, read, possible_users)

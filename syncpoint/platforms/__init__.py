"""Learning platforms, one file each: how it names submissions, and the gradebook file that it imports, if any.

``read`` of a file finds the senders in a download, or says None: it is not this platform's.  A new one joins
:data:`PLATFORMS` and :func:`read_download`, and a class of an export the short names in exports/__init__.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from . import canvas, github_classroom, gradescope, moodle
from .download import Download, Member, NoPlatform, Parts, doubted_if_alone

# As messages name them; `read_download` says who is asked when.
PLATFORMS = {"Gradescope": gradescope, "Moodle": moodle, "Canvas": canvas, "GitHub Classroom": github_classroom}


def read_download(members: Sequence[Member], is_student: Callable[[str], bool] = lambda name: False) -> Download:
    """Find out which platform this is from, and sort it by senders.

    Args:
        members: All files.
        is_student: Whether a folder may be a student's by its name: what is in it is not looked at.

    Raises:
        NoPlatform: If it is none that is known.
    """
    for around, these in _layers(members, is_student):
        found = gradescope.read(these) or _most_claimed(these)
        if found is not None:
            return doubted_if_alone(found, around)
    found = github_classroom.read(members, is_student)
    if found is not None:
        return found
    raise NoPlatform(
        f"its files do not have the names of any of these platforms: {', '.join(PLATFORMS)}. See "
        "docs/how-to/collect-and-export.md. `nbgrader zip_collect` accepts names of any pattern."
    )


def _most_claimed(members: Sequence[Member]) -> Download | None:
    """Read it as the platform that explains most names: a sender's own file names may look like those of another."""
    claimed = {platform: sum(platform.claims(member.path) for member in members) for platform in (moodle, canvas)}
    best = max(claimed, key=lambda platform: claimed[platform])
    return best.read(members) if 2 * claimed[best] > len(members) else None


def _layers(members: Sequence[Member], is_student: Callable[[str], bool]) -> Iterator[tuple[Parts, Sequence[Member]]]:
    """Yield the files as they are, and again without each enclosing folder that belongs to no student."""
    around: Parts = ()
    yield around, members
    while len({member.path[0] for member in members}) == 1 and all(len(member.path) > 1 for member in members):
        folder = members[0].path[0]
        if is_student(folder) or folder.endswith(github_classroom.CLONES):
            return
        members = [replace(member, path=member.path[1:]) for member in members]
        around = (*around, folder)
        yield around, members

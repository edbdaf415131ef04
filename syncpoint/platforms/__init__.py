"""Learning platforms, a file for each: how it names what it hands over, and the gradebook that it takes, if it does.

``read`` of a file finds the senders in a download, or says None: it is not this platform's.  A new one joins
:data:`PLATFORMS`, and a class of an export the short names in exports/__init__.py.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from . import canvas, github_classroom, gradescope, moodle
from .download import CollectError, Download, Member

# The order in which they are asked; the last one takes any folders.
PLATFORMS = {"Gradescope": gradescope, "Moodle": moodle, "Canvas": canvas, "GitHub Classroom": github_classroom}


def read_download(members: Sequence[Member]) -> Download:
    """Find out which platform this is from, and sort it by senders.

    Returns:
        What it holds.

    Raises:
        CollectError: If it is none that is known.
    """
    *named, folders = PLATFORMS.values()
    for these in _layers(members):
        for platform in named:
            found = platform.read(these)
            if found is not None:
                return found
    found = folders.read(members)
    if found is not None:
        return found
    raise CollectError(
        f"no file in it is named as one of these names them: {', '.join(PLATFORMS)}; see docs/exports.md, Collecting. "
        "`nbgrader zip_collect` takes names of any pattern."
    )


def _layers(members: Sequence[Member]) -> Iterator[Sequence[Member]]:
    """The files as they are, and again without each folder that lies around all of them."""
    yield members
    while len({member.path[0] for member in members}) == 1 and all(len(member.path) > 1 for member in members):
        members = [replace(member, path=member.path[1:]) for member in members]
        yield members

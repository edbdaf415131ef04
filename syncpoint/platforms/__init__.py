"""Learning platforms, one file each: names of submissions, and the gradebook file to import, if any.

A new platform is a file with a :class:`~.download.Platform` and a line in :data:`PLATFORMS`.  An exporter also has its
short name in exports/__init__.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..core.names import some
from . import blackboard, brightspace, canvas, folders, github_classroom, google_classroom, gradescope, ilias, moodle
from .download import NOTEBOOK, ZIP, Download, Member, NoPlatform, Parts, Platform, doubted_if_alone

PLATFORMS = (
    gradescope.PLATFORM,
    moodle.PLATFORM,
    canvas.PLATFORM,
    blackboard.PLATFORM,
    brightspace.PLATFORM,
    ilias.PLATFORM,
    github_classroom.PLATFORM,
    google_classroom.PLATFORM,
    folders.PLATFORM,
)
RIVAL = "its name also fits {}"


@dataclass(frozen=True)
class Layer:
    """The files of a download without the folders around all of them."""

    members: Sequence[Member]
    around: Parts = ()  # the folders around the files
    beside: tuple[tuple[str, str], ...] = ()  # other entries of these folders

    @property
    def folders(self) -> set[str]:
        return {member.path[0] for member in self.members if len(member.path) > 1}

    @property
    def loose_notebook(self) -> bool:
        """Whether a notebook is outside all of these folders."""
        return any(len(member.path) == 1 and member.path[0].endswith(NOTEBOOK) for member in self.members)

    @property
    def may_be_a_class(self) -> bool:
        """Whether each of these folders, or zip files, may be a student's."""
        zipped = sum(len(member.path) == 1 and member.path[0].lower().endswith(ZIP) for member in self.members)
        return bool(self.folders or zipped > 1) and not self.loose_notebook

    def read_by(self, platform: Platform, is_student: Callable[[str], bool]) -> Download | None:
        found = platform.read(self.members, is_student)
        if found is None:
            return None
        return doubted_if_alone(replace(found, left_out=[*self.beside, *found.left_out]), self.around)


def read_download(members: Sequence[Member], is_student: Callable[[str], bool] = lambda name: False) -> Download:
    """Find out which platform a download is from, and sort its files by sender.

    The platform that recognizes more than half of the names reads the files; a few names may look like those of another
    platform, because students choose them.  If two platforms recognize the same number, a person must decide whose each
    file is.  If none recognizes them, the first platform that reads folders or files of any name is used; it does not
    look into a folder that may be a student's.

    Raises:
        NoPlatform: If no platform can read it.
    """
    layers = list(_layers(members, is_student))
    for layer in layers:
        claimed = {platform.name: platform.claims(layer.members) for platform in PLATFORMS}
        first, *rivals = [one for one in PLATFORMS if claimed[one.name] == max(claimed.values())]
        if 2 * claimed[first.name] > len(layer.members):
            found = layer.read_by(first, is_student)
            if found is not None:
                return _doubted(found, rivals)
    whole, *inner = layers
    classes = [whole, *(layer for layer in inner if layer.may_be_a_class)]
    for platform in PLATFORMS:
        if not platform.claims(members) and (found := classes[-1].read_by(platform, is_student)) is not None:
            return found
    raise NoPlatform(
        f"its file names fit none of these platforms: {', '.join(one.name for one in PLATFORMS)}. "
        f"It contains {some(sorted({repr('/'.join(member.path)) for member in members}))}. See "
        "docs/how-to/collect-and-export.md. `nbgrader zip_collect` accepts names of any pattern."
    )


def possible_users(folder: str) -> set[str]:
    """Return the ids of all students whose folder may have this name, for any assignment name."""
    return {user for platform in PLATFORMS for user in platform.possible_users(folder)}


def _doubted(download: Download, rivals: Sequence[Platform]) -> Download:
    """Return the download, with doubts about every sender if another platform may have made it."""
    if not rivals:
        return download
    doubt = RIVAL.format(some(platform.name for platform in rivals))
    for one in download.uploads:
        one.sender = replace(one.sender, doubt=one.sender.doubt or doubt, team=False)
    return download


def _layers(members: Sequence[Member], is_student: Callable[[str], bool]) -> Iterator[Layer]:
    """Yield the files as they are, and again without each enclosing folder that belongs to no student."""
    layer = Layer(members)
    yield layer
    while len(layer.folders) == 1 and not (layer.around and layer.loose_notebook):
        (folder,) = layer.folders
        if is_student(folder):
            return
        beside = [(member.name, "not in a student's folder") for member in layer.members if len(member.path) == 1]
        inside = [replace(member, path=member.path[1:]) for member in layer.members if len(member.path) > 1]
        layer = Layer(inside, (*layer.around, folder), (*layer.beside, *beside))
        yield layer

"""A platform's download, sorted by sender; each platform's own file parses its names."""

import itertools
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import IO

from ..core.errors import SyncpointError
from ..core.names import some

TORN = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
ALONE = "it is alone in the folder {!r}, which may be a student's own"
NOTEBOOK, ZIP = ".ipynb", ".zip"
NEWER = "there is a newer one of this name"
MOST_SHOWN = 100  # characters of a name

Parts = tuple[str, ...]
Open = Callable[[], IO[bytes]]


class CollectError(SyncpointError):
    """A download that cannot be collected; the text says why and what to do."""


class NoPlatform(CollectError):
    """A download whose names fit no known platform."""


class Oversized(SyncpointError):
    """A file contains more than was requested."""


@dataclass(frozen=True)
class Member:
    """One file of a download."""

    path: Parts  # its path inside the download, which never leads out
    open: Open = field(repr=False, compare=False)
    order: int = 0  # a higher number was submitted later; equal if the platform does not say

    @property
    def name(self) -> str:
        return "/".join(self.path)

    def read(self, most: int) -> bytes:
        """Return its bytes, or raise Oversized or CollectError; the size in its archive is not trusted."""
        try:
            with self.open() as file:
                content = file.read(most + 1)
        except TORN as problem:
            raise CollectError(f"{self.name} cannot be read ({problem})") from None
        if len(content) > most:
            raise Oversized
        return content


@dataclass(frozen=True)
class Sender:
    """The sender of a submission, by the platform's names."""

    shown: str  # the sender's unique name in the download
    # from the platform itself: texts, one of which may be the student's LMS id, id or email address
    ids: tuple[str, ...] = ()
    name: str = ""  # the student's name, in any order of its parts
    # ids from another reading of the names, which the sender may have chosen. They cast doubt on this sender, but never
    # identify a student.
    others: tuple[str, ...] = ()
    doubt: str = ""  # why a person must say who it is; "" if there is no reason
    unproven: str = ""  # the same, but not if the person trusts the names of the whole download
    late: bool = False  # whether the platform says so
    time: datetime | None = None  # when it was submitted, if the download says so
    local: datetime | None = None  # the same, if the download gives no time zone
    # other kinds of ids that these may be, apart from LMS id and id: "github", "login" or "none"; "" for all except
    # GitHub's
    kind: str = ""
    # those of the ids that are numbers of the platform's own: the gradebook's LMS ids. As another id in the gradebook,
    # one counts only if the name agrees, because schools also have numbers.
    numbers: tuple[str, ...] = ()
    team: bool = False  # whether it is a group; then the ids are those of some members
    person: bool = False  # whether the platform never has a group here
    shared: str = ""  # a common value for all who submitted this together, if the platform names each of them

    @property
    def remark(self) -> str:
        """The sender's other, untrusted names, for the person who decides who it is."""
        names = dict.fromkeys(text[:MOST_SHOWN] for text in (self.name, *self.ids))
        return some(repr(text) for text in names if text not in self.shown)


@dataclass
class Upload:
    """The files of one sender."""

    sender: Sender
    files: dict[Parts, Member] = field(default_factory=dict)  # by their path inside it

    def add(self, path: Parts, member: Member) -> list[tuple[str, str]]:
        """Add a file, or keep the later one at this path; return which one is left out, and why."""
        other = self.files.get(path)
        if other is None:
            self.files[path] = member
            return []
        first, last = sorted((member, other), key=lambda one: one.order)
        self.files[path] = last
        same = "another file has this name" if first.order == last.order else NEWER
        return [(first.name, same)]


@dataclass(frozen=True)
class Download:
    """A platform's download."""

    platform: str
    uploads: list[Upload]
    left_out: list[tuple[str, str]]  # names, and the reasons


@dataclass(frozen=True)
class Platform:
    """A platform's names for submissions."""

    name: str  # its name in messages
    claims: Callable[[Sequence[Member]], int]  # number of these files whose names only this platform gives
    # groups these files by sender; None if they are not this platform's. The function says whether a folder's name fits
    # a student
    read: Callable[[Sequence[Member], Callable[[str], bool]], Download | None]
    # the ids of students whose folder may have this name
    possible_users: Callable[[str], tuple[str, ...]] = lambda folder: ()


def like(pattern: re.Pattern[str], flat: bool = False) -> Callable[[Sequence[Member]], int]:
    """Return ``claims``, which counts the files whose path begins with such a name; ``flat``: those in no folder."""

    def claims(members: Sequence[Member]) -> int:
        return sum(bool(pattern.fullmatch(one.path[0])) and not (flat and len(one.path) > 1) for one in members)

    return claims


def shared_start(names: Iterable[str], separator: str) -> str:
    """The common start of all names, up to a separator; it never contains the last piece of a name."""
    heads = [name.split(separator)[:-1] for name in names]
    same = itertools.takewhile(lambda pieces: len(set(pieces)) == 1, zip(*heads, strict=False))
    return separator.join(pieces[0] for pieces in same)


def doubted_if_alone(download: Download, around: Parts) -> Download:
    """Doubt a download of only one sender in a folder: the folder's owner may have made all of its content."""
    if not around or len(download.uploads) != 1:
        return download
    (one,) = download.uploads
    sender = replace(one.sender, doubt=ALONE.format("/".join(around)))
    return replace(download, uploads=[Upload(sender, one.files)])

"""The coordinator's cache: an unchanged submission is not read again."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from ..core.atomic_write import write_whole
from ..course.attachments import check_walk
from ..judge.errors import Malformed
from ..judge.job import from_json, to_json

Written = tuple[int, int, int]  # inode, nanoseconds of the last change, bytes


@dataclass(frozen=True)
class CachedSubmission:
    """The part of a submission that a run has committed."""

    content: str  # see :func:`content`
    keys: dict[str, str | None]  # the key of each notebook's result, or None if it cannot be run
    written: dict[str, Written]  # the notebooks in autograded/ made from exactly this content and these results


@dataclass(frozen=True)
class SubmissionCache:
    """The cache of one assignment, each in a file named after its student.

    They save time only: one that is lost or torn costs a look at that submission.
    """

    folder: Path

    def get(self, student: str) -> CachedSubmission | None:
        path = self.path(student)
        try:
            return from_json(CachedSubmission, path.read_bytes())
        except (OSError, Malformed):
            return None

    def put(self, student: str, cached: CachedSubmission) -> None:
        """Remember a submission. Raises OSError if it cannot be written."""
        path = self.path(student)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, to_json(cached))

    def path(self, student: str) -> Path:
        # A digest, because a student's name may contain anything and may be too long with a suffix.
        return self.folder / f"{hashlib.sha256(os.fsencode(student)).hexdigest()[:32]}.json"


def written(paths: list[Path]) -> dict[str, Written] | None:
    """A fingerprint of these files, which changes when one is replaced; None if one is missing."""
    found: dict[str, Written] = {}
    for path in paths:
        try:
            state = path.lstat()
        except OSError:
            return None
        found[path.stem] = (state.st_ino, state.st_mtime_ns, state.st_size)
    return found


def content(folder: Path, most: int, other_files: str) -> str:
    """Return a digest of everything in a submission's folder, and of ``other_files``.

    For files above ``most`` bytes only the size counts, because they are not used.

    Raises:
        Unwalkable: If the folder is too deep or holds too much.
    """
    digest, entries = hashlib.sha256(other_files.encode()), 0
    for place, folders, names in os.walk(folder):
        entries += len(folders) + len(names)
        check_walk(folder, Path(place), entries)
        folders.sort()
        for name in sorted([*names, *(name for name in folders if os.path.islink(os.path.join(place, name)))]):
            path = Path(place, name)
            try:
                state = path.lstat()
            except OSError:  # the path is too long; the cache is not used
                digest.update(os.fsencode(name) + b"\0")
                continue
            digest.update(
                os.fsencode(path.relative_to(folder)) + f"\0{stat.S_IFMT(state.st_mode)}\0{state.st_size}\0".encode()
            )
            if stat.S_ISREG(state.st_mode) and state.st_size <= most:
                digest.update(path.read_bytes())
            elif stat.S_ISLNK(state.st_mode):
                digest.update(os.fsencode(os.readlink(path)))
    return digest.hexdigest()

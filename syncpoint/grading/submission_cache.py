"""The coordinator's cache: an unchanged submission is not read again."""

import contextlib
import hashlib
import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from ..core.atomic_write import write_whole
from ..course.attachments import check_walk
from ..judge.errors import Malformed
from ..judge.job import from_json, to_json

CACHE_FOLDER = "submissions"
SPARE_LINES = 100  # lines that are not worth writing the file again
FileState = tuple[int, int, int]  # inode, nanoseconds of the last change, bytes


@dataclass(frozen=True)
class CachedSubmission:
    """The part of a submission that a run has committed."""

    content: str  # see :func:`content`
    keys: dict[str, str | None]  # the key of each notebook's result, or None if it cannot be run
    committed: dict[str, FileState]  # the notebooks in autograded/ made from exactly this content and these results


@dataclass
class SubmissionCache:
    """The cache of one assignment: a file with a line for each submission, the last one of a student counts.

    It saves time only: a line that is lost or torn costs a look at that submission.
    """

    file: Path
    _lines: dict[bytes, bytes] = field(default_factory=dict)  # by student, as far as the file has been read
    _inode: int = 0
    _end: int = 0  # how many bytes have been read

    @classmethod
    def of(cls, state: Path, assignment: str) -> "SubmissionCache":
        """Return an assignment's cache in the course's folder ``.syncpoint``."""
        return cls(state / CACHE_FOLDER / f"{assignment}.jsonl")

    def get(self, student: str) -> CachedSubmission | None:
        self._read()  # also what another run has added since the last time
        try:
            return from_json(CachedSubmission, self._lines[_name(student)])
        except (KeyError, Malformed):
            return None

    def put(self, student: str, cached: CachedSubmission) -> None:
        """Remember a submission. Raises OSError if it cannot be written."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("ab", buffering=0) as file:
            file.write(_name(student) + b" " + to_json(cached) + b"\n")

    def remove(self, student: str) -> None:
        """Forget a student's submission. Raises OSError if the file cannot be written."""
        self._read()
        if self._lines.pop(_name(student), None) is not None:
            self._write()

    def _read(self) -> None:
        """Read the lines that are new, or all of a new file; write the file again if most of its lines are old."""
        try:
            with self.file.open("rb") as file:
                if (inode := os.fstat(file.fileno()).st_ino) != self._inode:
                    self._lines, self._inode, self._end = {}, inode, 0
                file.seek(self._end)
                new, whole, _ = file.read().rpartition(b"\n")
        except OSError:
            self._lines, self._inode, self._end = {}, 0, 0
            return
        first = not self._end
        self._end += len(new + whole)
        found = [line.partition(b" ") for line in new.splitlines()]
        self._lines |= {name: cached for name, _, cached in found}
        if first and len(found) > 2 * len(self._lines) + SPARE_LINES:
            with contextlib.suppress(OSError):
                self._write()

    def _write(self) -> None:
        write_whole(self.file, b"".join(name + b" " + cached + b"\n" for name, cached in self._lines.items()))


def _name(student: str) -> bytes:
    # A digest, because a student's name may contain anything.
    return hashlib.sha256(os.fsencode(student)).hexdigest()[:32].encode()


def file_states(paths: list[Path]) -> dict[str, FileState] | None:
    """A fingerprint of these files, which changes when one is replaced; None if one is missing."""
    found: dict[str, FileState] = {}
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

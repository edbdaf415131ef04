"""Keeps the files of all tries in ``.syncpoint/tries/<student>/``: what was judged, compressed."""

import hashlib
import io
import lzma
import os
import shutil
import tarfile
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final
from uuid import uuid4

from nbgrader.api import Gradebook

from ..check.status import SECRET
from ..core.atomic_write import sweep_parts, usual_mode, write_whole
from ..core.errors import CannotGrade
from ..core.limits import MIB
from ..course.folder import STATE_FOLDER, Course
from ..course.intake import MAX_BYTES, TIMESTAMP
from ..course.shared_files import SharedFiles, linked_or_copied
from ..records.database import one_transaction
from ..records.tries import remove
from .submission_cache import SubmissionCache
from .try_lines import differences, restored

TRIES_FOLDER = f"{STATE_FOLDER}/tries"
PACKED = ".tar.xz"
WHOLE, LINES, RELEASED = "whole", "lines", ".released"
MAX_PACKED_BYTES = MIB  # bytes; a larger file is copied, because compressing would delay the class
LEVEL: Final = 3  # of compression; higher ones make notebooks hardly smaller, and need much memory
UNUSED_SECONDS = 24 * 3600  # seconds after which a folder of a killed run is removed


class DamagedTry(CannotGrade):
    """A kept try cannot be read; the message says what to do."""

    def __init__(self, path: Path):
        super().__init__(
            f"{path} is damaged. Put it back from a backup, or remove the try with `syncpoint tries --remove`."
        )


class SubmissionChanged(CannotGrade):
    """The files of a submission are not those that were judged; the message says what to do."""

    def __init__(self) -> None:
        super().__init__("the submission was changed while it was graded. Grade it again.")


def submitted_files(folder: Path, rejected: Sequence[Path], notebooks: Collection[str]) -> dict[str, Path]:
    """Return the files that count in a submission: notebooks of these names, and other accepted files."""
    named = {f"{name}.ipynb": folder / f"{name}.ipynb" for name in notebooks}
    found = {name: path for name, path in named.items() if _is_plain(path) and path.stat().st_size <= MAX_BYTES}
    left = set(rejected)
    for place, folders, names in os.walk(folder) if folder not in left else ():
        folders[:] = [name for name in folders if Path(place, name) not in left]
        others = (Path(place, name) for name in names if not name.endswith(".ipynb"))
        found |= {path.relative_to(folder).as_posix(): path for path in others if path not in left and _is_plain(path)}
    return {name: path for name, path in found.items() if name not in (TIMESTAMP, SECRET)}


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def digest_of(files: Mapping[str, Path]) -> str:
    """Return a digest of files and their names."""
    return _digest({name: _hash(path.read_bytes()) for name, path in files.items()})


def _hash(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _digest(hashes: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in sorted(hashes.items()):
        digest.update(os.fsencode(name) + b"\0" + content)
    return digest.hexdigest()[:32]


@dataclass(frozen=True)
class TryFiles:
    """The files of an assignment's tries.

    A try is an archive ``<digest>.<assignment>.tar.xz``, and a folder of that name without the ending for large files
    and for files of the release, which are links.  In the archive, ``whole/`` has files, and ``lines/<digest>/`` the
    differences of notebooks from a released one of that digest, which is in ``.syncpoint/tries/.released/``.
    """

    root: Path  # of the course
    assignment: str

    def archive(self, student: str, digest: str) -> Path:
        return self.root / TRIES_FOLDER / student / f"{digest}.{self.assignment}{PACKED}"

    def keep(
        self, student: str, digest: str, files: Mapping[str, Path], time: datetime | None, shared: SharedFiles
    ) -> None:
        """Keep a submission completely or not at all, with its time in UTC. Raises OSError or SubmissionChanged."""
        stamp = f"{time.isoformat(sep=' ', timespec='microseconds')} UTC".encode() if time else None
        archive = self.archive(student, digest)
        kept: dict[str, bytes] | None = None
        with suppress(FileNotFoundError, DamagedTry):  # then it is written again
            kept = self._read(archive)
        if kept is None:
            archive.parent.mkdir(parents=True, exist_ok=True)
            kept = _set_apart(files, digest, _beside(archive), shared)
        elif kept.get(TIMESTAMP) == stamp:
            return
        kept = {name: content for name, content in kept.items() if name != TIMESTAMP}
        write_whole(archive, self._packed(kept if stamp is None else {**kept, TIMESTAMP: stamp}), usual_mode())

    def open(self, student: str, digest: str) -> Path | None:
        """Return a folder with the files of a try, for :func:`close`; None if it was not kept. Raises DamagedTry."""
        archive = self.archive(student, digest)
        if not archive.is_file():
            return None
        folder = archive.parent / f".{uuid4().hex}" / self.assignment
        try:
            folder.mkdir(parents=True)
            for name, content in self._read(archive).items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
            if _beside(archive).is_dir():
                shutil.copytree(_beside(archive), folder, copy_function=linked_or_copied, dirs_exist_ok=True)
        except BaseException:
            close(folder)
            raise
        return folder

    def _packed(self, files: Mapping[str, bytes]) -> bytes:
        """Return an archive, the same for the same files and the same release."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w:xz", preset=LEVEL) as archive:
            for name, content in sorted(files.items()):
                place, content = self._shortest(name, content)
                entry = tarfile.TarInfo(f"{place}/{name}")
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
        return packed.getvalue()

    def _shortest(self, name: str, content: bytes) -> tuple[str, bytes]:
        """Return the place of a file in an archive, and its content there."""
        notebooks = sorted((self.root / "release" / self.assignment).rglob("*.ipynb"))  # also translated ones
        contents = [path.read_bytes() for path in notebooks if path.name == name]
        found = [(differences(content, released), released) for released in contents]
        lines, released = min(found, key=lambda one: len(one[0]), default=(content, b""))
        return (WHOLE, content) if len(lines) >= len(content) else (f"{LINES}/{self._kept(released)}", lines)

    def _kept(self, released: bytes) -> str:
        """Keep a released file for all tries; return its digest."""
        digest = _hash(released).hex()
        path = self.root / TRIES_FOLDER / RELEASED / digest
        if not path.is_file() or path.read_bytes() != released:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, released, usual_mode())
        return digest

    def _read(self, path: Path) -> dict[str, bytes]:
        try:
            content = lzma.decompress(path.read_bytes())  # the whole file, because its checksum is at the end
            with tarfile.open(fileobj=io.BytesIO(content), mode="r:") as archive:
                files = {entry.name: file.read() for entry in archive if (file := archive.extractfile(entry))}
        except (tarfile.TarError, lzma.LZMAError):
            raise DamagedTry(path) from None
        return dict(self._whole(name, content) for name, content in files.items())

    def _whole(self, place: str, content: bytes) -> tuple[str, bytes]:
        """Return a file's name and content from those in an archive."""
        kind, name = place.split("/", 1)
        if kind == WHOLE:
            return name, content
        digest, name = name.split("/", 1)
        path = self.root / TRIES_FOLDER / RELEASED / digest
        try:
            released = path.read_bytes()
        except FileNotFoundError:
            raise DamagedTry(path) from None
        if _hash(released).hex() != digest:
            raise DamagedTry(path)
        return name, restored(content, released)

    def remove(self, student: str, digest: str) -> None:
        archive = self.archive(student, digest)
        archive.unlink(missing_ok=True)
        shutil.rmtree(_beside(archive), ignore_errors=True)


def remove_try(course: Course, gradebook: Gradebook, student: str, assignment: str, number: int) -> None:
    """Delete the record and the files of a try, by its number from 1; the next grading updates the marks.

    Raises:
        SyncpointError: If there is no such try.
    """
    with one_transaction(gradebook) as session:
        digest = remove(session, student, assignment, number)
        # Otherwise the next grading sees that the submission is unchanged, and reads no tries.
        SubmissionCache.of(course.state, assignment).remove(student)
    TryFiles(course.root, assignment).remove(student, digest)


def close(folder: Path) -> None:
    """Remove a folder that :meth:`TryFiles.open` made."""
    shutil.rmtree(folder.parent, ignore_errors=True)


def sweep(root: Path) -> None:
    """Remove what killed runs left among a course's tries."""
    sweep_parts(root / TRIES_FOLDER)
    for folder in (root / TRIES_FOLDER).glob("*/.*"):
        with suppress(OSError):
            if folder.stat().st_mtime < time.time() - UNUSED_SECONDS:
                shutil.rmtree(folder)


def _beside(archive: Path) -> Path:
    return archive.with_name(archive.name.removesuffix(PACKED))


def _set_apart(files: Mapping[str, Path], digest: str, folder: Path, shared: SharedFiles) -> dict[str, bytes]:
    """Put large files and those of the release into a folder; return the others."""
    own: dict[str, bytes] = {}
    part = folder.with_name(f".{uuid4().hex}")
    try:
        for name, path in files.items():
            (part / name).parent.mkdir(parents=True, exist_ok=True)
            if path.stat().st_size > MAX_PACKED_BYTES:
                shared.copy(path, part / name)
            elif not shared.link(path, part / name):
                own[name] = path.read_bytes()
        # Another program may have put newer work there since it was judged.
        if digest != _digest({name: _hash(own[name] if name in own else (part / name).read_bytes()) for name in files}):
            raise SubmissionChanged
        shutil.rmtree(folder, ignore_errors=True)  # a killed run's
        if len(own) < len(files):
            part.rename(folder)
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return own

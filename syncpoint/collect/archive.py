"""Reads a download as names and bytes. Paths are not trusted, links not followed, and files read up to a limit."""

import functools
import itertools
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from ..core.limits import MIB
from ..course.attachments import MAX_DEPTH, MAX_PATH
from ..platforms.download import TORN, ZIP, CollectError, Member, Open, Parts
from .file_names import ENCODINGS, decoded, name_of

MAX_MEMBERS = 100_000  # files and folders of a whole class
PIECE = 255  # bytes of one file name
DEEPEST = 3  # levels of zip files inside zip files
MAX_PACKED = 4096 * MIB  # of a download in a zip file
OTHER_KINDS = {
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!": "RAR",
    b"\x1f\x8b": "tar.gz",
    b"\xfd7zXZ": "tar.xz",
    b"BZh": "tar.bz2",
}
HIDDEN = ("__MACOSX", "__pycache__", "Thumbs.db", "desktop.ini")
JOINERS = "\u200b\u200c\u200d\u2060\ufeff"
DRIVE = re.compile(r"[A-Za-z]:")

Found = tuple[str | bytes, str, Open]  # a name (bytes: of unknown encoding), the problem with it, and how to open it


@dataclass(frozen=True)
class Archive:
    """All files of a download."""

    members: list[Member]
    left_out: list[tuple[str, str]]  # names, and the reasons
    # the same files with their names in other encodings; none if the names declare their encoding
    other_readings: tuple["Archive", ...] = ()


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """Open a zip file, a folder or a single notebook, until the block ends.

    A single zip file in it is also opened, and read as a folder with its name.

    Raises:
        CollectError: If it is none of these, is empty, or holds too much.
    """
    with ExitStack() as opened:
        archive = opened.enter_context(_open(path))
        for _ in range(DEEPEST):
            if len(archive.members) != 1 or not archive.members[0].path[-1].lower().endswith(ZIP):
                break
            archive = _inside(archive, opened)
        yield archive


def _inside(outer: Archive, opened: ExitStack) -> Archive:
    (packed,) = outer.members
    content = opened.enter_context(tempfile.TemporaryFile())
    try:
        with packed.open() as source:
            while piece := source.read(MIB):
                if content.tell() + len(piece) > MAX_PACKED:
                    raise CollectError(f"{packed.name} is larger than {MAX_PACKED // MIB:,} MiB; unpack it.")
                content.write(piece)
        found = sorted_out(Path(packed.name), of_zip(opened.enter_context(zipfile.ZipFile(content))), MAX_MEMBERS)
    except (*TORN, UnicodeDecodeError, ValueError) as problem:
        raise CollectError(f"{packed.name} cannot be opened as a zip file ({problem})") from None
    folder = packed.path[-1][: -len(ZIP)] or packed.path[-1]

    def below(archive: Archive) -> Archive:
        members = [replace(one, path=(*packed.path[:-1], folder, *one.path)) for one in archive.members]
        return Archive(members, [*outer.left_out, *archive.left_out], tuple(map(below, archive.other_readings)))

    return below(found)


@contextmanager
def _open(path: Path) -> Iterator[Archive]:
    if path.is_dir():
        yield sorted_out(path, _of_folder(path), MAX_MEMBERS)
        return
    if path.suffix == ".ipynb" and path.is_file():
        yield Archive([Member((path.name,), functools.partial(_opened, path))], [])
        return
    try:
        file = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise CollectError(f"there is no {path}.") from None
    except zipfile.BadZipFile as problem:
        if kind := _kind(path):
            raise CollectError(f"{path} is a {kind} file. Unpack it, and collect the unpacked folder.") from None
        raise CollectError(f"{path} is not a zip file, or is incomplete ({problem}); download it again.") from None
    except UnicodeDecodeError:
        raise CollectError(
            f"{path}: its names are not valid UTF-8. Unpack it, and collect the unpacked folder."
        ) from None
    except OSError as problem:
        raise CollectError(f"{path} cannot be read ({problem.strerror}).") from None
    with file:
        yield sorted_out(path, of_zip(file), MAX_MEMBERS)


def _kind(path: Path) -> str:
    """Return the other archive format of a file; "" if it has no known one."""
    with path.open("rb") as file:
        start = file.read(6)
    return next((kind for magic, kind in OTHER_KINDS.items() if start.startswith(magic)), "")


def of_zip(file: zipfile.ZipFile) -> Iterator[Found]:
    """Return all entries except folders."""
    for info in file.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir() or kind == stat.S_IFDIR:
            continue
        wrong = ""
        if kind not in (0, stat.S_IFREG):
            wrong = "a link or a device"
        elif info.flag_bits & 1:
            wrong = "encrypted"
        yield name_of(info), wrong, functools.partial(file.open, info)


def _of_folder(folder: Path) -> Iterator[Found]:
    for place, folders, files in os.walk(folder):
        inside = os.path.relpath(place, folder)
        if inside.count(os.sep) >= MAX_DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted([*files, *(name for name in folders if os.path.islink(os.path.join(place, name)))]):
            path = Path(place, name)
            wrong = "" if stat.S_ISREG(path.lstat().st_mode) else "a link or a device"
            yield _text(os.path.normpath(os.path.join(inside, name))), wrong, functools.partial(_opened, path)


def _opened(path: Path) -> IO[bytes]:
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW), "rb")


def _text(name: str) -> str | bytes:
    """Return a name on the disk; its bytes if they are not UTF-8."""
    raw = os.fsencode(name)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def sorted_out(archive: Path, found: Iterator[Found], most: int) -> Archive:
    """Leave out unacceptable files, and read names in several ways if nothing says how, or raise CollectError."""
    files = list(itertools.islice(found, most + 1))
    if len(files) > most:
        raise CollectError(f"{archive} has more than {most:,} files; collect it in parts.")
    unsaid = any(isinstance(name, bytes) for name, _, _ in files)
    first, *others = (_read_names(files, encoding) for encoding in ENCODINGS[: None if unsaid else 1])
    if not first.members and not first.left_out:
        raise CollectError(f"{archive} is empty: there is nothing to collect.")
    return replace(first, other_readings=tuple(others))


def _read_names(files: Sequence[Found], encoding: str) -> Archive:
    members: dict[Parts, Member] = {}
    left_out: list[tuple[str, str]] = []
    for raw, wrong, opened in files:
        name = decoded(raw, encoding)
        parts, unsafe = _parts(name)
        if any(part.startswith(".") or part in HIDDEN for part in parts) and not unsafe:
            continue
        wrong = wrong or unsafe or ("appears twice; the first one is used" if parts in members else "")
        if wrong:
            left_out.append((name, wrong))
        else:
            members[parts] = Member(parts, opened)
    return Archive(list(members.values()), left_out)


def _parts(name: str) -> tuple[Parts, str]:
    # A wide space in a name counts as a space, and invisible joining characters are dropped.
    kinds = ((character, unicodedata.category(character)) for character in name.replace("\\", "/"))
    name = "".join(" " if kind == "Zs" else character for character, kind in kinds if character not in JOINERS)
    parts = tuple(name.split("/"))
    if not all(parts) or {".", ".."} & set(parts) or DRIVE.match(name):
        return parts, "its path leads out of the download"
    if not name.isprintable():
        return parts, "its name has characters that cannot be shown"
    size = [len(part.encode(errors="surrogateescape")) for part in parts]
    if max(size) > PIECE or sum(size) > MAX_PATH or len(parts) > MAX_DEPTH:
        return parts, "its path is too long"
    return parts, ""

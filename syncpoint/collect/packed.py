"""Replaces a submitted zip file by its files, within the limits of a submission."""

import io
import zipfile
from collections.abc import Collection
from pathlib import Path

from ..course.attachments import MAX_FILES
from ..platforms.download import NOTEBOOK, ZIP, CollectError, Member, Oversized, Parts, Upload
from .archive import DEEPEST, Archive, of_zip, sorted_out

LeftOut = list[tuple[str, str]]


def unpacked(upload: Upload, notebooks: Collection[str], most: int) -> tuple[dict[Parts, Member], LeftOut]:
    """Unpack the zip files of a submission, unless it has a notebook of the assignment.

    They may have ``most`` packed bytes in all. Returns the files, and the names that were left out, with reasons.
    """
    files = dict(upload.files)
    left_out: LeftOut = []
    for _ in range(DEEPEST):
        packed = [path for path in files if path[-1].lower().endswith(ZIP)]
        if not packed or any(path[-1].removesuffix(NOTEBOOK) in notebooks for path in files):
            break
        for path in packed:
            member = files.pop(path)
            try:
                content = member.read(most)
                inside = _best(_opened(member.name, content), notebooks)
            except Oversized:
                left_out.append((member.name, "too large"))
                continue
            except CollectError as problem:
                left_out.append((member.name, str(problem)))
                continue
            most -= len(content)
            left_out += [(f"{member.name}/{name}", why) for name, why in inside.left_out]
            for one in inside.members:
                taken = Member((*member.path, *one.path), one.open, member.order)
                if (*path[:-1], *one.path) in files:
                    left_out.append((taken.name, "another file has this name"))
                else:
                    files[*path[:-1], *one.path] = taken
    return files, left_out


def _opened(name: str, content: bytes) -> Archive:
    try:
        file = zipfile.ZipFile(io.BytesIO(content))
        return sorted_out(Path(name), of_zip(file), MAX_FILES)
    except (zipfile.BadZipFile, UnicodeDecodeError, NotImplementedError, ValueError) as problem:
        raise CollectError(f"it cannot be opened as a zip file ({problem})") from None


def _best(archive: Archive, notebooks: Collection[str]) -> Archive:
    """Return the encoding of names that finds most of the assignment's notebooks."""

    def found(reading: Archive) -> int:
        return sum(member.path[-1].removesuffix(NOTEBOOK) in notebooks for member in reading.members)

    return max((archive, *archive.other_readings), key=found)

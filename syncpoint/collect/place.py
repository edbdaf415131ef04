"""Puts what students handed in into ``submitted/``; what was there stays, unless a person says otherwise."""

import os
import re
import shutil
import tempfile
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..course.folder import Course
from ..course.intake import MAX_BYTES, TIMESTAMP
from ..nbgrader_hooks.attachments import MAX_FILES
from ..nbgrader_hooks.timestamps import linked
from ..platforms.download import CollectError, HandedIn, Member, Oversized, Parts

AGAIN = re.compile(r"(-\d+| ?\(\d+\))$")  # what Canvas and browsers put behind a name that is there already
ENDING = ".ipynb"
ANOTHER = "{taken} is taken as {name}; {why}"
LATER, UNTOLD = "it came later", "nothing says which came later"


@dataclass
class Placed:
    """What became of one student's work.

    Attributes:
        state: placed, same, kept (something else is there), replaced or nothing (no notebook came).
        files: What was taken, by the name that it got.
        left_out: Names, and why nothing was taken from there.
        moved_to: Where what was there lies now.
        lacking: The assignment's notebooks, if notebooks came and none of them has such a name.
    """

    student: str
    state: str
    files: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    moved_to: Path | None = None
    lacking: list[str] = field(default_factory=list)


def place(
    course: Course, assignment: str, student: str, handed_in: HandedIn, time: datetime | None, *, replace: bool
) -> Placed:
    """Write one submission, whole or not at all.

    Args:
        course: Where.
        assignment: Its name.
        student: Their id.
        handed_in: What came.
        time: When, in UTC; None if nobody knows.
        replace: Whether it may take the place of another one, which is moved to ``.syncpoint/replaced/``.

    Returns:
        What became of it.

    Raises:
        CollectError: If it cannot be written there.
    """
    if "/" in student or student.startswith("."):
        raise CollectError(
            f"the gradebook has a student {student!r}, which cannot be the name of a folder; rename them."
        )
    folder = course.root / "submitted" / student / assignment
    if linked(folder):
        raise CollectError(f"{folder} is a link to another folder; put a folder there, or remove it.")
    notebooks = {path.stem for path in course.source_folder(assignment).glob(f"*{ENDING}")}
    limit = course.settings_of(assignment).limits.disk_bytes
    files, left_out = _chosen(handed_in, notebooks, limit)
    if not any(path[-1].endswith(ENDING) for path in files):
        return Placed(student, "nothing", sorted(map("/".join, files)), left_out)
    named = sorted(name + ENDING for name in notebooks)
    lacking = [] if any((name,) in files for name in named) else named
    if time is not None:
        files[TIMESTAMP,] = f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC".encode()
    names = sorted(map("/".join, files))
    if folder.is_dir() and _same(folder, files):
        return Placed(student, "same", names, left_out, lacking=lacking)
    there = os.path.lexists(folder)
    if there and not replace:
        return Placed(student, "kept", names, left_out)
    try:
        moved_to = _write(course, folder, files)
    except OSError as problem:
        raise CollectError(f"{folder} cannot be written ({problem.strerror}); what was there is there.") from None
    return Placed(student, "replaced" if there else "placed", names, left_out, moved_to, lacking)


def _chosen(
    handed_in: HandedIn, notebooks: Collection[str], limit: int
) -> tuple[dict[Parts, bytes], list[tuple[str, str]]]:
    """The files to write, notebooks first and of two with one name the later one, and what is left out."""
    root = _root(handed_in, notebooks)
    files: dict[Parts, bytes] = {}
    taken: dict[Parts, Member] = {}
    left_out: list[tuple[str, str]] = []
    used = 0
    members = handed_in.files.items()
    for path, member in sorted(members, key=lambda one: (not one[0][-1].endswith(ENDING), -one[1].order, one[0])):
        shown = "/".join(path)
        if path[: len(root)] != root:
            left_out.append((shown, f"beside the folder {'/'.join(root)}, which holds the notebooks"))
            continue
        notebook = path[-1].endswith(ENDING)
        inside = _renamed(path[len(root) :], notebooks)
        most = MAX_BYTES if notebook else limit - used
        if inside == (TIMESTAMP,):
            left_out.append((shown, "a time stamp is not the student's to give"))
        elif inside in files:
            other = taken[inside]
            why = LATER if other.order > member.order else UNTOLD
            left_out.append((member.name, ANOTHER.format(taken=other.name, name="/".join(inside), why=why)))
        elif len(files) >= MAX_FILES:
            left_out.append((shown, f"more than {MAX_FILES} files"))
        else:
            try:
                files[inside] = member.read(most)
            except Oversized:
                left_out.append((shown, "too large"))
                continue
            except CollectError as problem:
                left_out.append((shown, str(problem)))
                continue
            taken[inside] = member
            used += 0 if notebook else len(files[inside])
    folders = {path[:end] for path in files for end in range(1, len(path))}
    for path in sorted(folders & files.keys()):  # a file where others need a folder
        del files[path]
        left_out.append(("/".join(path), "a folder has the same name"))
    return files, left_out


def _root(handed_in: HandedIn, notebooks: Collection[str]) -> Parts:
    """The folder of the assignment's notebooks: the uppermost one, if students handed in a folder around them."""
    places = {path[:-1] for path in handed_in.files if _renamed(path, notebooks)[-1].removesuffix(ENDING) in notebooks}
    return min(places, key=lambda place: (len(place), place), default=())


def _renamed(path: Parts, notebooks: Collection[str]) -> Parts:
    """The path with the notebook's own name: a second ``work.ipynb`` came as ``work-1.ipynb``."""
    *above, name = path
    stem = name.removesuffix(ENDING)
    if stem != name and stem not in notebooks and AGAIN.sub("", stem) in notebooks:
        return (*above, AGAIN.sub("", stem) + ENDING)
    return path


def _same(folder: Path, files: dict[Parts, bytes]) -> bool:
    there = [path for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()]
    if {path.relative_to(folder).parts for path in there} != files.keys() or any(path.is_symlink() for path in there):
        return False
    return all(path.read_bytes() == files[path.relative_to(folder).parts] for path in there)


def _write(course: Course, folder: Path, files: dict[Parts, bytes]) -> Path | None:
    """Write all beside its place, and let it take the place at once; returns where the old one lies now."""
    (course.root / "submitted").mkdir(exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=".collect-", dir=course.root / "submitted"))
    try:
        part.chmod(0o755)
        for path, content in files.items():
            part.joinpath(*path).parent.mkdir(parents=True, exist_ok=True)
            part.joinpath(*path).write_bytes(content)
        folder.parent.mkdir(exist_ok=True)
        moved_to = _move_away(course, folder) if os.path.lexists(folder) else None
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return moved_to


def _move_away(course: Course, folder: Path) -> Path:
    place = course.root / ".syncpoint" / "replaced" / folder.parent.name / folder.name
    place.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    moved_to = place / f"{now:%Y%m%dT%H%M%S}.{now.microsecond:06}Z"
    shutil.move(folder, moved_to)
    return moved_to

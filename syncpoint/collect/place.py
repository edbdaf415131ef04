"""Puts submissions into ``submitted/``; existing work is kept unless a person says otherwise."""

import os
import re
import shutil
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from ..core.atomic_write import usual_mode, write_whole
from ..course.attachments import MAX_FILES
from ..course.collected import changed_by_hand, note
from ..course.folder import Course
from ..course.intake import MAX_BYTES, TIMESTAMP
from ..course.shared_files import SharedFiles
from ..course.submission_folder import linked
from ..platforms.download import NOTEBOOK, CollectError, Member, Oversized, Parts, Upload
from .packed import unpacked

AGAIN = re.compile(r"(-\d+| ?\(\d+\))$")  # what Canvas and browsers append to an existing name
ANOTHER = "{taken} is used as {name}; {why}"
LATER, UNTOLD = "it came later", "it is unknown which came later"


@dataclass
class Placement:
    """The outcome for one student's work."""

    student: str
    # placed, same, timed (same, but now with a time), kept (other work is there), by hand (a person placed or changed
    # that work), worse (that work has a notebook of the assignment, and this has none), replaced or nothing (there was
    # no notebook)
    state: str
    files: list[str] = field(default_factory=list)  # the placed files, by their new names
    left_out: list[tuple[str, str]] = field(default_factory=list)  # names, and the reasons
    moved_to: Path | None = None  # the new place of the replaced work
    # the assignment's notebook names, if there were notebooks but none with such a name
    lacking: list[str] = field(default_factory=list)
    renamed: str = ""  # the original name of the notebook that was used as the assignment's only one
    by_hand: list[str] = field(default_factory=list)  # files that a person placed or changed
    could_rename: bool = False  # whether it can be used as the assignment's only notebook


@dataclass(frozen=True)
class Permissions:
    """The replacements that a person allows."""

    replace: bool = False  # whether work may replace other work, which is moved to ``.syncpoint/replaced/``
    # students whose work may be replaced even if a person placed or changed it
    replace_edited: Collection[str] = ()
    rename: bool = False  # whether a student's only notebook is used as the assignment's only one


def place(
    course: Course,
    assignment: str,
    student: str,
    upload: Upload,
    time: datetime | None,
    allowed: Permissions,
    shared: SharedFiles,
    group: str = "",
) -> Placement:
    """Write a submission of a student or a ``group`` (time: UTC), completely or not at all, or raise CollectError."""
    if "/" in student or student.startswith("."):
        raise CollectError(
            f"the gradebook has a student {student!r}, which is not a valid folder name; rename the student."
        )
    folder = course.root / "submitted" / student / assignment
    if linked(folder):
        raise CollectError(f"{folder} is a link to another folder; replace it by a folder, or remove it.")
    notebooks = {path.stem for path in course.source(assignment).folder.glob(f"*{NOTEBOOK}")}
    limit = course.settings_of(assignment).limits.disk_bytes
    members, packed = unpacked(upload, notebooks, limit)
    single = _single(members, notebooks)
    files, left_out = _chosen(members, notebooks, limit, single if allowed.rename else None)
    left_out = packed + left_out
    if not any(path[-1].endswith(NOTEBOOK) for path in files):
        return Placement(student, "nothing", sorted(map("/".join, files)), left_out)
    named = sorted(name + NOTEBOOK for name in notebooks)
    done = Placement(student, "placed", left_out=left_out, could_rename=single is not None)
    done.renamed = "/".join(single) if single and allowed.rename else ""
    done.lacking = [] if any((name,) in files for name in named) else named
    if time is not None:
        files[TIMESTAMP,] = f"{time.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC".encode()
    done.files = sorted(map("/".join, files))
    try:
        _put(course, folder, files, done, allowed, shared, group)
    except OSError as problem:
        raise CollectError(f"{folder} cannot be written ({problem.strerror}); nothing there was changed.") from None
    return done


def _put(
    course: Course,
    folder: Path,
    files: dict[Parts, bytes],
    done: Placement,
    allowed: Permissions,
    shared: SharedFiles,
    group: str,
) -> None:
    """Write the files unless existing work must be kept; ``done`` gets the outcome."""
    if os.path.lexists(folder):
        there = _files_in(folder)
        without_time = (TIMESTAMP,) not in files
        if there is not None and files == (_untimed(there) if without_time else there):
            done.state = "same"
            return
        if there == _untimed(files):
            done.state = "timed"
        else:
            done.by_hand = changed_by_hand(course, folder)
            done.state = _why_not(done, folder, allowed) or "replaced"
        if done.state not in ("timed", "replaced"):
            return
    if done.state == "timed":
        write_whole(folder / TIMESTAMP, files[TIMESTAMP,], usual_mode())
    else:
        done.moved_to = _write(course, folder, files, shared)
    note(course, done.student, folder.name, files, group)


def _why_not(done: Placement, folder: Path, allowed: Permissions) -> str:
    """Return why the existing work is kept; "" if it may be replaced."""
    named = done.student in allowed.replace_edited
    if done.by_hand and not named:
        return "by hand"
    if not allowed.replace and not named:
        return "kept"
    if done.lacking and any(folder.joinpath(name).is_file() for name in done.lacking):
        return "worse"
    return ""


def _untimed(files: Mapping[Parts, bytes]) -> dict[Parts, bytes]:
    return {name: content for name, content in files.items() if name != (TIMESTAMP,)}


def _files_in(folder: Path) -> dict[Parts, bytes] | None:
    """Return the files in the folder; None if it contains anything but plain files."""
    found = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()] if folder.is_dir() else None
    if found is None or any(path.is_symlink() or not path.is_file() for path in found):
        return None
    return {path.relative_to(folder).parts: path.read_bytes() for path in found}


def _single(members: Mapping[Parts, Member], notebooks: Collection[str]) -> Parts | None:
    """Return the only notebook, if the assignment has one with another name."""
    came = [path for path in members if path[-1].endswith(NOTEBOOK)]
    if len(notebooks) != 1 or len(came) != 1:
        return None
    return None if _renamed(came[0], notebooks)[-1].removesuffix(NOTEBOOK) in notebooks else came[0]


def _chosen(
    came: Mapping[Parts, Member], notebooks: Collection[str], limit: int, single: Parts | None
) -> tuple[dict[Parts, bytes], list[tuple[str, str]]]:
    """Return the files to write, notebooks first and the later one of equal names, and the files left out."""
    root = single[:-1] if single else _root(came, notebooks)
    files: dict[Parts, bytes] = {}
    taken: dict[Parts, Member] = {}
    left_out: list[tuple[str, str]] = []
    used = 0
    first = sorted(came.items(), key=lambda one: (not one[0][-1].endswith(NOTEBOOK), -one[1].order, one[0]))
    for path, member in first:
        shown = "/".join(path)
        if path[: len(root)] != root:
            left_out.append((shown, f"outside the folder {'/'.join(root)}, which has the notebooks"))
            continue
        notebook = path[-1].endswith(NOTEBOOK)
        inside = (next(iter(notebooks)) + NOTEBOOK,) if path == single else _renamed(path[len(root) :], notebooks)
        most = MAX_BYTES if notebook else limit - used
        if inside == (TIMESTAMP,):
            left_out.append((shown, "a student may not set a time stamp"))
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
    for path in sorted(folders & files.keys()):  # a file whose path is also needed as a folder
        del files[path]
        left_out.append(("/".join(path), "a folder has the same name"))
    return files, left_out


def _root(came: Iterable[Parts], notebooks: Collection[str]) -> Parts:
    """Return the folder with the assignment's notebooks: the top one, if students submitted a folder."""
    places = {path[:-1] for path in came if _renamed(path, notebooks)[-1].removesuffix(NOTEBOOK) in notebooks}
    return min(places, key=lambda place: (len(place), place), default=())


def _renamed(path: Parts, notebooks: Collection[str]) -> Parts:
    """Return the path with the notebook's own name: a second ``work.ipynb`` is ``work-1.ipynb``."""
    *above, name = path
    stem = name.removesuffix(NOTEBOOK)
    if stem != name and stem not in notebooks and AGAIN.sub("", stem) in notebooks:
        return (*above, AGAIN.sub("", stem) + NOTEBOOK)
    return path


def _write(course: Course, folder: Path, files: dict[Parts, bytes], shared: SharedFiles) -> Path | None:
    """Write everything to a temporary folder and swap it in atomically; return the old folder's new place."""
    (course.root / "submitted").mkdir(exist_ok=True)
    part = Path(tempfile.mkdtemp(prefix=".collect-", dir=course.root / "submitted"))
    try:
        part.chmod(0o755)
        for path, content in files.items():
            part.joinpath(*path).parent.mkdir(parents=True, exist_ok=True)
            part.joinpath(*path).write_bytes(content)
        shared.share(part)
        folder.parent.mkdir(exist_ok=True)
        moved_to = _move_away(course, folder) if os.path.lexists(folder) else None
        part.rename(folder)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    return moved_to


def _move_away(course: Course, folder: Path) -> Path:
    place = course.state / "replaced" / folder.parent.name / folder.name
    place.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC)
    moved_to = place / f"{now:%Y%m%dT%H%M%S}.{now.microsecond:06}Z"
    shutil.move(folder, moved_to)
    return moved_to

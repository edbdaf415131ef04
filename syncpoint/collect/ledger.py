"""Records what ``syncpoint collect`` put into ``submitted/``; people placed or changed everything else."""

import hashlib
import json
from pathlib import Path

from ..core.atomic_write import write_whole
from ..course.folder import Course
from ..platforms.download import Parts

LEDGER = ".syncpoint/collected"


def note(course: Course, student: str, assignment: str, files: dict[Parts, bytes]) -> None:
    """Record what was put there."""
    path = _path(course, student, assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps({"/".join(name): _digest(content) for name, content in files.items()}).encode())


def changed_by_hand(course: Course, folder: Path) -> list[str]:
    """Return files of a submission's folder that were changed or removed after placing."""
    path = _path(course, folder.parent.name, folder.name)
    try:
        noted = json.loads(path.read_text())
    except (OSError, ValueError):
        noted = {}
    there = {
        one.relative_to(folder).as_posix(): _digest(one.read_bytes()) if one.is_file() and not one.is_symlink() else ""
        for one in folder.rglob("*")
        if one.is_symlink() or not one.is_dir()
    }
    return sorted(name for name in noted.keys() | there.keys() if noted.get(name) != there.get(name))


def _path(course: Course, student: str, assignment: str) -> Path:
    return course.root / LEDGER / student / f"{assignment}.json"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

"""Records what ``syncpoint collect`` put into ``submitted/``; people placed or changed everything else."""

import hashlib
import json
from pathlib import Path

from ..core.atomic_write import write_whole
from .folder import Course

GROUP = "//group"  # among the names of files, which never begin like this


def note(course: Course, student: str, assignment: str, files: dict[tuple[str, ...], bytes], group: str = "") -> None:
    """Record what was put there, and the group that submitted it together."""
    path = _path(course, student, assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    noted = {"/".join(name): _digest(content) for name, content in files.items()}
    write_whole(path, json.dumps(noted | ({GROUP: group} if group else {})).encode())


def group_of(course: Course, folder: Path) -> str:
    """Return the group that submitted the work in a submission's folder; "" if it is not known, or other work."""
    group = _noted(course, folder.parent.name, folder.name).get(GROUP, "")
    return "" if group and changed_by_hand(course, folder) else group


def changed_by_hand(course: Course, folder: Path) -> list[str]:
    """Return files of a submission's folder that were changed or removed after placing."""
    noted = _noted(course, folder.parent.name, folder.name)
    noted.pop(GROUP, None)
    there = {
        one.relative_to(folder).as_posix(): _digest(one.read_bytes()) if one.is_file() and not one.is_symlink() else ""
        for one in folder.rglob("*")
        if one.is_symlink() or not one.is_dir()
    }
    return sorted(name for name in noted.keys() | there.keys() if noted.get(name) != there.get(name))


def _noted(course: Course, student: str, assignment: str) -> dict[str, str]:
    try:
        noted: dict[str, str] = json.loads(_path(course, student, assignment).read_text())
    except (OSError, ValueError):
        return {}
    return noted


def _path(course: Course, student: str, assignment: str) -> Path:
    return course.state / "collected" / student / f"{assignment}.json"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

"""Several files that are written all or not at all."""

import contextlib
import stat
from collections.abc import Mapping
from pathlib import Path

from ..core.atomic_write import write_whole
from .errors import CourseError


def write_together(files: Mapping[Path, str]) -> tuple[list[Path], list[Path]]:
    """Write all files or none, and return the new ones and the changed ones.

    New files come first, each only if nothing is in its place; then each existing file is replaced at once.

    Raises:
        CourseError: If one cannot be written; the text names it.
    """
    changed = [path for path in files if path.exists()]
    new = [path for path in files if path not in changed]
    with contextlib.ExitStack() as undo:
        for path in (*new, *changed):
            try:
                if path in changed:
                    _replace(path, files[path].encode(), undo)
                else:
                    _make(path, files[path].encode(), undo)
            except OSError as problem:
                raise CourseError(f"{path} cannot be written ({problem}); nothing was changed.") from None
        undo.pop_all()
    return new, changed


def _make(path: Path, content: bytes, undo: contextlib.ExitStack) -> None:
    for folder in reversed([folder for folder in path.parents if not folder.exists()]):
        folder.mkdir()
        undo.callback(folder.rmdir)
    with path.open("xb") as file:
        undo.callback(path.unlink)
        file.write(content)


def _replace(path: Path, content: bytes, undo: contextlib.ExitStack) -> None:
    before, mode = path.read_bytes(), stat.S_IMODE(path.stat().st_mode)
    write_whole(path, content, mode)
    undo.callback(write_whole, path, before, mode)

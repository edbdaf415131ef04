"""Keeps the files of all tries: ``.syncpoint/tries/<student>/<digest>/<assignment>/`` has what was judged."""

import hashlib
import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from uuid import uuid4

from ..check.status import SECRET
from ..core.atomic_write import write_whole
from ..course.intake import MAX_BYTES, TIMESTAMP
from ..course.shared_files import SharedFiles

FOLDER = ".syncpoint/tries"


def submitted_files(folder: Path, rejected: Sequence[Path], notebooks: Collection[str]) -> dict[str, Path]:
    """Return the files that count in a submission: notebooks of these names, and other accepted files."""
    named = {f"{name}.ipynb": folder / f"{name}.ipynb" for name in notebooks}
    found = {name: path for name, path in named.items() if _is_plain(path) and path.stat().st_size <= MAX_BYTES}
    for place, folders, names in os.walk(folder) if folder not in rejected else ():
        folders[:] = [name for name in folders if Path(place, name) not in rejected]
        others = (Path(place, name) for name in names if not name.endswith(".ipynb"))
        found |= {
            path.relative_to(folder).as_posix(): path for path in others if path not in rejected and _is_plain(path)
        }
    return {name: path for name, path in found.items() if name not in (TIMESTAMP, SECRET)}


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def digest_of(files: Mapping[str, Path]) -> str:
    """Return a digest of files and their names."""
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        digest.update(os.fsencode(name) + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:32]


@dataclass(frozen=True)
class TryFiles:
    """The files of an assignment's tries."""

    root: Path  # of the course
    assignment: str

    def folder(self, student: str, digest: str) -> Path:
        return self.root / FOLDER / student / digest / self.assignment

    def keep(
        self, student: str, digest: str, files: Mapping[str, Path], time: datetime | None, shared: SharedFiles
    ) -> None:
        """Keep a submission completely or not at all, with its time in UTC. Raises OSError if that fails."""
        folder = self.folder(student, digest)
        if not folder.is_dir():
            folder.parent.mkdir(parents=True, exist_ok=True)
            part = folder.parent / f".{uuid4().hex}"
            try:
                part.mkdir()
                for name, path in files.items():
                    (part / name).parent.mkdir(parents=True, exist_ok=True)
                    shared.copy(path, part / name)
                part.rename(folder)
            except BaseException:
                shutil.rmtree(part, ignore_errors=True)
                if folder.is_dir():  # another run was faster
                    return
                raise
        with suppress(FileNotFoundError):
            if time is None:
                (folder / TIMESTAMP).unlink()
        if time is not None:
            write_whole(folder / TIMESTAMP, f"{time.isoformat(sep=' ', timespec='microseconds')} UTC".encode())

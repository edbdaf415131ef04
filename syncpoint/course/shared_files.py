"""Stores each file of a release only once on the disk, however many students' folders contain it.

Every submission and its graded copy contain the release's wheels and data sets. A file with the same bytes as one of a
release becomes a hard link to a copy in `.syncpoint/shared/`. Students' work is never linked. If links are impossible
(another file system), files are copied as before.
"""

import filecmp
import hashlib
import os
import shutil
from collections import defaultdict
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from ..core.atomic_write import sweep_parts, write_whole
from .folder import STATE_FOLDER

SUFFIX = ".ipynb"  # notebooks are not shared: nbgrader and people write into them
READ_ONLY = 0o444  # an editor must replace such a file and cannot change the shared copy
PENDING = ".link"


class SharedFiles:
    """Copies of the files of these assignments' releases, also of earlier ones, as long as a folder has them."""

    def __init__(self, root: Path, *assignments: str):
        self.folder = root / STATE_FOLDER / "shared"
        self._by_size: dict[int, list[Path]] = defaultdict(list)
        for copy in self._copies():
            self._by_size[copy.stat().st_size].append(copy)
        self._released: set[Path] = set()
        for assignment in assignments:
            with suppress(OSError):  # a full disk: files are copied as before
                for path in _plain(root / "release" / assignment):
                    self._released.add(self._same_as(path) or self._add(path))

    def _copies(self) -> list[Path]:
        return sorted(path for path in self.folder.glob("*") if not path.name.startswith("."))

    def _same_as(self, path: Path) -> Path | None:
        """Return the copy with the same bytes as a file."""
        for copy in self._by_size.get(path.stat().st_size, ()):
            if path.samefile(copy) or filecmp.cmp(path, copy, shallow=False):
                return copy
        return None

    def _add(self, path: Path) -> Path:
        content = path.read_bytes()
        copy = self.folder / hashlib.sha256(content).hexdigest()
        self.folder.mkdir(parents=True, exist_ok=True)
        write_whole(copy, content, READ_ONLY)
        self._by_size[len(content)].append(copy)
        return copy

    def copy(self, source: str | Path, target: str | Path) -> None:
        """Copy a file; a shared one is linked. Raises OSError if that fails."""
        Path(target).unlink(missing_ok=True)  # writing through a link would change all folders
        if not self.link(Path(source), Path(target)):
            shutil.copy(source, target)

    def link(self, source: Path, target: Path) -> bool:
        """Link the shared copy of a file; return False if there is none. Raises OSError if it cannot be read."""
        copy = self._same_as(source)
        return copy is not None and self._link(copy, target)

    def share(self, folder: Path) -> int:
        """Replace shared files in a folder by links, and return the number of freed bytes."""
        freed = 0
        for path in _plain(folder):
            status = path.stat()
            copy = self._same_as(path) if status.st_nlink == 1 else None
            if copy is not None and self._link(copy, path):
                freed += status.st_size
        return freed

    def _link(self, copy: Path, target: Path) -> bool:
        pending = self.folder / f".{uuid4().hex}{PENDING}"
        with suppress(OSError):
            os.link(copy, pending)
            os.replace(pending, target)
            return True
        with suppress(OSError):
            pending.unlink(missing_ok=True)
        return False

    def sweep(self) -> int:
        """Remove copies that no folder and no release uses, and return the number of freed bytes."""
        for pending in self.folder.glob(f".*{PENDING}"):
            pending.unlink(missing_ok=True)
        sweep_parts(self.folder)
        unused = [copy for copy in self._copies() if copy.stat().st_nlink == 1 and copy not in self._released]
        freed = sum(copy.stat().st_size for copy in unused)
        for copy in unused:
            copy.unlink()
        return freed


def linked_or_copied(source: str | Path, target: str | Path) -> None:
    """Give a file a second name where nobody writes into either; otherwise copy it. Raises OSError if that fails."""
    try:
        os.link(source, target)
    except OSError:  # a file system without links, too many of one file, or another user's file
        shutil.copy(source, target)


def _plain(folder: Path) -> list[Path]:
    """Yield the plain files in and below a folder, except notebooks; symbolic links are not followed."""
    paths = (Path(place, name) for place, _, names in os.walk(folder) for name in names if not name.endswith(SUFFIX))
    return sorted(path for path in paths if not path.is_symlink() and path.is_file())

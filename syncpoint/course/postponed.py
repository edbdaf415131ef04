"""Postponed submissions: judging processes died on them, so the next run grades them last."""

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..core.atomic_write import write_whole


@dataclass(frozen=True)
class Postponed:
    """A folder with a file for each such submission, which contains its name.

    It only saves time for other processes and may be removed; anything that it does not contain waits its turn.
    """

    folder: Path

    def add(self, submission: str) -> None:
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self._path(submission), os.fsencode(submission))

    def remove(self, submission: str) -> None:
        with contextlib.suppress(OSError):
            self._path(submission).unlink()

    def __iter__(self) -> Iterator[str]:
        """Yield the submissions that can be read."""
        with contextlib.suppress(OSError):
            for path in self.folder.glob("[!.]*"):
                yield os.fsdecode(path.read_bytes())

    def _path(self, submission: str) -> Path:
        return self.folder / hashlib.sha256(os.fsencode(submission)).hexdigest()[:32]

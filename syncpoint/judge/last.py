"""The submissions at which judges died: the next run takes them last."""

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Last:
    """A folder with an empty file for each such submission.  It saves others time only, and may be removed."""

    folder: Path

    def add(self, submission: str) -> None:
        """Take this submission last from now on.  submission: student/assignment."""
        with contextlib.suppress(OSError):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._path(submission).touch()

    def remove(self, submission: str) -> None:
        """It was graded: take it in its turn again."""
        with contextlib.suppress(OSError):
            self._path(submission).unlink()

    def __contains__(self, submission: str) -> bool:
        return self._path(submission).exists()

    def _path(self, submission: str) -> Path:
        return self.folder / hashlib.sha256(os.fsencode(submission)).hexdigest()[:32]

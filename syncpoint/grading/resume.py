"""Since when a class is being judged anew: a ``--force`` run that was cut off goes on where it stopped."""

import contextlib
import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

LONGEST = 24 * 3600  # seconds: what was cut off longer ago is nobody's any more
GOES_ON = "Going on with the --force run that began at {:%H:%M} and did not end: what it has judged counts."


@dataclass(frozen=True)
class Anew:
    """The mark that a ``--force`` run leaves as long as not everybody is graded.

    Results in the store that are newer than the mark were judged by this run, or while it was cut off.

    Attributes:
        path: A file in the folder of the store's file system, so that one clock gives both their times.
    """

    path: Path

    @classmethod
    def of(cls, folder: Path, assignment: str, students: Sequence[str]) -> "Anew":
        """The mark of a run for these students: names or patterns."""
        whom = json.dumps([assignment, sorted(students)])
        return cls(folder / hashlib.sha256(whom.encode()).hexdigest()[:32])

    def begin(self) -> str:
        """Begin, or go on with what was cut off.

        Returns:
            A sentence in the second case, else "".

        Raises:
            OSError: If the mark cannot be written.
        """
        with contextlib.suppress(OSError):
            began = self.path.stat().st_mtime
            if time.time() - began < LONGEST:
                return GOES_ON.format(datetime.fromtimestamp(began))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.unlink(missing_ok=True)
        self.path.touch()
        return ""

    @property
    def since(self) -> int:
        """When it began.

        Returns:
            Nanoseconds of the file system's clock.

        Raises:
            OSError: If there is no mark.
        """
        return self.path.stat().st_mtime_ns

    def end(self) -> None:
        """Everybody is graded."""
        with contextlib.suppress(OSError):
            self.path.unlink()

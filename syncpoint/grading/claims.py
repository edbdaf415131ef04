"""Claims: locks on a run's submissions, so that no two runs grade the same one at once."""

import errno
import fcntl
import hashlib
import os
import struct
from pathlib import Path

from ..course.errors import CourseError

RUNS = ".runs"  # hidden: nbgrader looks for students in this folder
NO_LOCKS = "cannot lock a file in {folder} ({reason}): put the course on a disk that supports locks."
NO_FOLDER = "{folder} cannot be used ({reason}): make it writable, with free space on its disk, then run this again."
BUSY = (errno.EAGAIN, errno.EACCES)  # another run has the lock


class Claims:
    """The submissions that this run may grade. Others see the claims until release, close, or the process's end.

    They are locks of an open file, and not of the process: formgrader's grades again and again, and closing the file
    of an earlier run would take the locks of this one away.
    """

    def __init__(self, autograded: Path):
        try:
            autograded.mkdir(parents=True, exist_ok=True)
            self._runs = (autograded / RUNS).open("a+b")
        except OSError as problem:
            raise CourseError(NO_FOLDER.format(folder=autograded, reason=problem.strerror)) from None

    def take_if_alone(self, submission: str) -> bool:
        """Claim this submission unless another active run has it. Returns whether it is ours."""
        try:
            self._lock(fcntl.F_OFD_SETLK, fcntl.F_WRLCK, submission)
        except OSError as problem:
            if problem.errno in BUSY:
                return False
            raise CourseError(NO_LOCKS.format(folder=Path(self._runs.name).parent, reason=problem.strerror)) from None
        return True

    def take(self, submission: str) -> None:
        """Claim this submission; wait while another run has it.

        A run that waits for several takes them in the order of their names, so no two runs wait for each other.
        """
        self._lock(fcntl.F_OFD_SETLKW, fcntl.F_WRLCK, submission)

    def release(self, submission: str) -> None:
        """Release the submission for other runs."""
        self._lock(fcntl.F_OFD_SETLK, fcntl.F_UNLCK, submission)

    def close(self) -> None:
        """Release all submissions."""
        self._runs.close()

    def _lock(self, command: int, kind: int, submission: str) -> None:
        # Each submission has its own byte of the file.
        digest = hashlib.blake2b(os.fsencode(submission), digest_size=7).digest()
        wanted = struct.pack("hhqqi4x", kind, os.SEEK_SET, int.from_bytes(digest, "big"), 1, 0)  # Linux's struct flock
        fcntl.fcntl(self._runs, command, wanted)

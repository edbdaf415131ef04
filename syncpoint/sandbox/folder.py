"""The private folder that a judge and a kernel share, and cleaning up after killed judges."""

import contextlib
import hashlib
import os
import re
import shutil
from pathlib import Path

import psutil

from ..core.locked_folder import if_nobodys, make_locked
from .spec import SandboxUnavailable

PREFIX = "sp-"
OURS = re.compile(r"k-\d+|home-\w+|grader_tests|connection\.json")  # everything that such a folder ever contains
KILLED_SECONDS = 10  # the longest time for killed processes to end
UNWRITABLE = (
    "no folder for the kernel's sockets can be made ({reason}): make the temporary folder writable, "
    "or name another one in the variable TMPDIR."
)


class PrivateFolder:
    """A new folder of this judge. Raises SandboxUnavailable if none can be made."""

    def __init__(self) -> None:
        try:
            # A short path: the name of a Unix socket has at most 107 bytes.
            self.path, self._lock = make_locked(temporary_folder(), PREFIX)
        except OSError as problem:
            raise SandboxUnavailable(UNWRITABLE.format(reason=problem)) from None

    @property
    def marker(self) -> str:
        """The text in the command line of every process of the sandbox, outside and for the first process inside."""
        return marker_of(self.path)

    @property
    def shown(self) -> str:
        """The folder's path in socket names that student code can see; it reveals nothing about this machine."""
        return f"/proc/self/fd/{self._lock}"

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def sweep_folders() -> None:
    """End the sandboxes of judges that have ended, and remove their folders."""
    for folder in temporary_folder().glob(f"{PREFIX}*"):
        with if_nobodys(folder) as lock:
            if lock is not None and _is_ours(lock):
                end_processes(marker_of(folder))
                shutil.rmtree(folder, ignore_errors=True)


def end_processes(marker: str) -> None:
    """Kill every process whose command line contains this marker, and wait until it has ended."""
    named = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if marker in process.cmdline():
                process.kill()
                named.append(process)
    psutil.wait_procs(named, timeout=KILLED_SECONDS)


def marker_of(folder: Path) -> str:
    """The text in the command line of every process of the sandbox with this folder."""
    # The path reveals who grades and where, so student code sees only a digest, which is enough to identify the
    # sandbox.
    return f"sandbox-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:32]}"


def _is_ours(lock: int) -> bool:
    return os.fstat(lock).st_uid == os.getuid() and all(map(OURS.fullmatch, os.listdir(lock)))


def temporary_folder() -> Path:
    """Return where this process may create folders; the path is short enough for socket names."""
    # Not tempfile's choice: if no temporary folder is writable, it uses the current folder.
    wanted = Path(os.environ.get("TMPDIR", "/tmp"))
    return wanted if wanted.is_dir() and len(str(wanted)) < 60 else Path("/tmp")

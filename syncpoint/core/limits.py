"""The limits of one submission that an operator can set, each with its default and meaning.

A new limit needs a field of :class:`Limits`, which makes it a setting everywhere, a row in
docs/reference/configuration.md, and code that enforces it.  Fixed limits are in the code that enforces them: open files
in sandbox/spec.py, events in probe/trace.py, and others.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

MIB = 2**20
ALLOWANCE = 40  # threads that bubblewrap, the kernel and the engine have anyway

Isolation = Literal["bubblewrap", "none"]


def _limit(default: float, means: str) -> Any:
    return field(default=default, metadata={"help": means})


@dataclass(frozen=True)
class Limits:
    """Seconds of wall-clock time, unless a field says otherwise; MiB of memory, disk and output.

    Each field is also a setting of the course, ``c.GradeSubmission.<name>``, and of an assignment's ``[limits]``.

    The code that enforces them: :mod:`syncpoint.judge.notebook_run` for seconds;
    :mod:`syncpoint.judge.resource_bounds` for processor time, memory, processes and disk, unless
    :mod:`syncpoint.sandbox.spec` has Linux do it; the kernel for output; and the code that starts a judge for
    ``judge_mib``.
    """

    cell_seconds: float = _limit(30, "Wall-clock seconds for one cell, and for all tests of one exercise.")
    notebook_seconds: float = _limit(300, "Wall-clock seconds for one notebook.")
    cpu_seconds: float = _limit(1200, "Seconds of processor time for one notebook, all its processes together.")
    memory_mib: int = _limit(4096, "MiB of memory for all processes of one submission.")
    processes: int = _limit(256, "Processes and threads of one submission.")
    # Of each of the three folders that can be written: the home folder, /tmp and /dev/shm.
    disk_mib: int = _limit(64, "MiB that a submission may write.")
    output_mib: float = _limit(1, "MiB of output of one cell.")
    judge_mib: int = _limit(1024, "MiB of memory for the process that judges a submission, outside the sandbox.")

    @property
    def memory_bytes(self) -> int:
        return self.memory_mib * MIB

    @property
    def disk_bytes(self) -> int:
        return self.disk_mib * MIB

    @property
    def files(self) -> int:
        """The number of 4 KiB blocks on a disk of this size, because an empty file also takes memory."""
        return 3 * self.disk_bytes // 4096

    @property
    def threads(self) -> int:
        """Processes and threads of the whole sandbox: ``processes``, plus those of kernel and engine."""
        return self.processes + ALLOWANCE

    @property
    def refused_threads(self) -> int:
        """The number at which Linux refuses the next one, which ends an engine.

        For what comes between two looks of the judge, who ends whatever has more than ``threads`` and says so.
        """
        return 2 * self.threads

"""The separate process of an engine, for one kernel: its sandbox, and the judge's end of its socket."""

import contextlib
import socket

from ..engines.base import OutsideEngine, outside_of
from ..sandbox.pool import acquire, give_back
from ..sandbox.sandbox import Sandbox
from ..sandbox.spec import SandboxSpec

SHARE = 8  # all devices together may allocate half of the memory of a submission: kernels need the rest


class EngineProcess:
    """A process in a sandbox like the student's, forked for one notebook.

    Attributes:
        front_end: The student's end of its socket, to be passed to the kernel and then closed here.
        outside: The judge's.
        sandbox: Where it runs.

    Raises:
        SandboxUnavailable: If no sandbox can be started here.
        OSError: If a process or a socket cannot be made.
    """

    def __init__(self, spec: SandboxSpec):
        outside = outside_of(spec.engine)
        box = spec.of_the_device
        self.sandbox: Sandbox = acquire(box)
        self.front_end, front_end = socket.socketpair()
        ours, judge = socket.socketpair()
        with front_end, judge:
            self.sandbox.start_device(box, front_end, judge, box.limits.memory_bytes // SHARE)
        self.outside: OutsideEngine = outside(ours)

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until it answers. Raises EngineGone if it has ended, or TimeoutError if it cannot finish."""
        self.outside.begin(seconds)
        self.sandbox.note_kernel()
        self.sandbox.count_from_here()

    def stop(self, clean: bool) -> None:
        """End it. If its sandbox can be cleaned and proven clean, it serves another notebook."""
        with contextlib.suppress(OSError):
            self.front_end.close()
        self.outside.close()
        give_back(self.sandbox, clean)

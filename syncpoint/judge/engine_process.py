"""The separate process of an engine, for one kernel: its sandbox, and the judge's end of its socket."""

import contextlib
import socket

from ..engines.base import OutsideEngine, outside_of
from ..sandbox.pool import acquire, release
from ..sandbox.sandbox import Sandbox
from ..sandbox.share import Turn
from ..sandbox.spec import SandboxSpec
from ..sandbox.usage import Usage

SHARE = 8  # all devices together may allocate half of the memory of a submission: kernels need the rest


class EngineProcess:
    """A process in a sandbox like the student's, forked for one notebook.

    Attributes:
        front_end: The student's end of its socket, to be passed to the kernel and then closed here.
        outside: The judge's.

    Raises:
        SandboxUnavailable: If no sandbox can be started here.
        OSError: If a process or a socket cannot be made.
    """

    def __init__(self, spec: SandboxSpec):
        outside = outside_of(spec.engine)
        self._spec = spec.of_the_device
        self._server: Sandbox = acquire(self._spec)
        self.front_end, front_end = socket.socketpair()
        ours, judge = socket.socketpair()
        with front_end, judge:
            self._server.start_device(self._spec, front_end, judge, self._spec.limits.memory_bytes // SHARE)
        self.outside: OutsideEngine = outside(ours)

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until it answers. Raises EngineGone if it has ended, or TimeoutError if it cannot finish."""
        self.outside.begin(seconds)
        self._server.note_kernel()
        self._server.count_from_here()

    @property
    def ended(self) -> bool:
        return self._server.exit_code is not None

    @property
    def exhausted(self) -> str:
        """The resource that its sandbox ran out of."""
        return self._server.exhausted

    def usage(self) -> Usage:
        return self._server.usage()

    def turns(self) -> tuple[dict[int, Turn], float]:
        """Its threads, and its processor seconds."""
        return self._server.turns()

    def kill(self) -> None:
        self._server.kill()

    def stop(self, clean: bool) -> None:
        """End it. If its sandbox can be cleaned and proven clean, it serves another notebook."""
        with contextlib.suppress(OSError):
            self.front_end.close()
        self.outside.close()
        if clean and self._server.clean():
            release(self._server)
        else:
            self._server.end()

    @property
    def stderr_tail(self) -> str:
        """Return its stderr, which says why it did not start."""
        return self._server.stderr_tail()

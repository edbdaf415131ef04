"""Keeps the engine loaded and forks a kernel for each notebook: importing the engine takes a second.

The server runs no student code.  In a sandbox it is the first process (process 1): nothing inside can kill it, and
all that a notebook leaves running becomes its child.
"""

import argparse
import ctypes
import json
import os
import select
import signal
import socket
from typing import Any, Optional

from .reset import DirtySandbox, Resetter

MAX_ORDER = 1 << 16
PR_SET_DUMPABLE = 4

Order = tuple[dict[str, Any], list[int]]  # the judge's request, and the open files that came with it


def set_dumpable(dumpable: bool) -> None:
    """Set whether processes of the same user may read this one: its memory, files, and environment."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


def arguments(package: str) -> argparse.Namespace:
    """The judge's arguments on the command line of the server that loads an engine's package."""
    parser = argparse.ArgumentParser()
    parser.add_argument("engine", help=f"the folder of the engine's package `{package}`")
    parser.add_argument("--control", type=int, required=True, help="inherited socket of the judge")
    parser.add_argument("--folder", required=True, help="a name by which the judge finds all processes of this sandbox")
    parser.add_argument("--sweep", nargs="*", default=[], help="the folders that can be written, in a sandbox")
    return parser.parse_args()


class ForkServer:
    """Serves the judge, one message of the ``control`` socket at a time: starts a kernel, or cleans up after one.

    Outside a sandbox there is no resetter, and the judge ends the server with its first kernel.
    """

    def __init__(self, control: socket.socket, resetter: Optional[Resetter]):
        self._control = control
        self._resetter = resetter
        self._kernel = 0
        self._handlers: dict[int, Any] = {}

    def serve(self) -> Optional[Order]:
        """Serve until the judge hangs up. Also returns in each forked child, with its request."""
        set_dumpable(False)
        self._ignore_signals()
        # A child that ends wakes the loop. Any process inside may send this signal; then the loop wakes for nothing.
        awake, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(awake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        ready = select.poll()
        ready.register(self._control, select.POLLIN)
        ready.register(awake, select.POLLIN)
        while True:
            for descriptor, _ in ready.poll():
                if descriptor == awake:
                    os.read(awake, 4096)
                    self._reap()
                    continue
                data, descriptors, _, _ = socket.recv_fds(self._control, MAX_ORDER, 8)
                if not data:
                    return None
                order = json.loads(data)
                if order["do"] == "clean":
                    self._clean()
                elif self._fork():
                    return order, descriptors
                for received in descriptors:
                    os.close(received)

    def _fork(self) -> bool:
        """Fork a kernel; True in the child."""
        self._kernel = os.fork()
        if self._kernel != 0:
            return False
        signal.set_wakeup_fd(-1)
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        set_dumpable(True)
        return True

    def _ignore_signals(self) -> None:
        """Ignore all signals: a blocked signal would wait, and the next notebook could see it."""
        for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
            # The engine installs its own crash handlers, but a kernel must end by the signal itself.
            self._handlers[number] = signal.getsignal(number) or signal.SIG_DFL
            signal.signal(number, signal.SIG_IGN)

    def _clean(self) -> None:
        """Remove everything that the last notebook left, or end the sandbox if that fails."""
        self._kernel = 0
        try:
            if self._resetter is None:
                raise DirtySandbox("outside a sandbox nothing can be cleaned up")
            self._resetter.clean()
        except Exception as problem:
            self._report({"unclean": f"{type(problem).__name__}: {problem}"[:500]})
            os._exit(0)
        self._report({"clean": True})

    def _reap(self) -> None:
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                return
            if process == self._kernel:
                self._kernel = 0
                self._report({"ended": status})

    def _report(self, news: dict[str, Any]) -> None:
        self._control.send(json.dumps(news).encode())

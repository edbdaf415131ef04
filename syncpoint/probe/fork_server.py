"""Holds the engine ready and forks a kernel for each notebook: importing the engine again would take a second.

The server runs no student code.  In a sandbox it is the first process of its world (process 1): nothing inside can
kill it, and all that a notebook leaves running becomes its child.
"""

import ctypes
import json
import os
import select
import signal
import socket
import traceback
from collections.abc import Iterable
from typing import Any, Callable, NoReturn, Optional

from .cleaning import Cleaner, Unclean

MAX_ORDER = 1 << 16
PR_SET_DUMPABLE = 4

Kernel = Callable[[dict[str, Any], list[int]], NoReturn]


def set_dumpable(dumpable: bool) -> None:
    """Whether processes of the same user may look into this one: its memory, its files, its environment."""
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


class ForkServer:
    """Obeys the judge, one order at a time: start a kernel, or clean up after one.

    control: the socket to the judge, one message an order.  cleaner: None outside a sandbox, where nobody can clean up
    and the judge ends the server with its first kernel.  become_kernel: what a forked child does with an order.
    """

    def __init__(self, control: socket.socket, cleaner: Optional[Cleaner], become_kernel: Kernel):
        self._control = control
        self._cleaner = cleaner
        self._become_kernel = become_kernel
        self._kernel = 0
        self._blocked: Iterable[int] = ()  # signals, as this process was started

    def serve(self) -> None:
        """Serve until the judge hangs up."""
        set_dumpable(False)
        self._blocked = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals() - {signal.SIGCHLD})
        # A child that ends wakes the loop.  Anybody inside may send this signal: then it wakes for nothing.
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
                elif not self._obey():
                    return

    def _obey(self) -> bool:
        """Do what the judge says; False once it has hung up."""
        data, descriptors, _, _ = socket.recv_fds(self._control, MAX_ORDER, 8)
        if not data:
            return False
        order = json.loads(data)
        if order["do"] == "start":
            self._start(order, descriptors)
        else:
            self._clean()
        return True

    def _start(self, order: dict[str, Any], descriptors: list[int]) -> None:
        self._kernel = os.fork()
        if self._kernel == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, self._blocked)
                set_dumpable(True)
                self._become_kernel(order, descriptors)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        for descriptor in descriptors:
            os.close(descriptor)

    def _clean(self) -> None:
        """Remove all that the last notebook left, or end the world: the next notebook gets a clean one or a new one."""
        self._kernel = 0
        try:
            if self._cleaner is None:
                raise Unclean("outside a sandbox nothing can be cleaned up")
            self._cleaner.clean()
        except Exception as problem:
            self._tell({"unclean": f"{type(problem).__name__}: {problem}"[:500]})
            os._exit(0)
        self._tell({"clean": True})

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
                self._tell({"ended": status})

    def _tell(self, news: dict[str, Any]) -> None:
        self._control.send(json.dumps(news).encode())

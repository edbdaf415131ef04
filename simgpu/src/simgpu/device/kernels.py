"""The kernel process, as the keeper has it: how it starts, what it is given, and how it ends."""

import contextlib
import ctypes
import gc
import itertools
import os
import select
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable

import torch

from simgpu import system
from simgpu.device.channel import Channel, Lost, Thing
from simgpu.device.worker import GIVEN, Worker
from simgpu.frames import send_some
from simgpu.limits import Limits

CHANNELS = 32
"""If there are more streams, they share channels: a process may open few files, and each channel is a thread."""
SECONDS = 60.0
"""A time limit for what should take no time, because the process may be corrupted."""
COLLECTED_AFTER = 50_000
"""How many new objects there may be before Python looks for cycles."""
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


class Kernels:
    """The process that runs kernels: a fork of this one, in which no other thread may run yet.

    On systems without fork and Unix sockets, which never grade, threads of this process run the kernels.

    Args:
        limits: The device's limits.

    Attributes:
        is_process: Whether a process runs them, and not threads.
        pid: The number of the process.
        own: The channel of the thread that reads the sockets.
        lost: A sentence that says why it has ended; "" if it runs.
        on_loss: Called with that sentence, once.
    """

    def __init__(self, limits: Limits) -> None:
        self.is_process = system.HAS_FORK and system.HAS_UNIX
        if self.is_process:
            self._sock, theirs = socket.socketpair()
            self.pid = os.fork()
            if not self.pid:
                _become_worker(theirs, limits)
            theirs.close()
            self._sock.settimeout(SECONDS)
        else:
            self._worker = Worker()
        self.lost, self._ended = "", False
        self.on_loss: Callable[[str], None] = lambda why: None
        self._numbers, self._gone = itertools.count(1), deque[int]()
        self._lock, self._losing = threading.Lock(), threading.Lock()
        self._channels: list[Channel] = []
        self._streams = 0
        self.own = self._open()

    def fileno(self) -> int:
        """For ``select``: it is readable when the process has ended."""
        return self._sock.fileno()

    def thing(self) -> Thing:
        """A new name for something that the process keeps."""
        return Thing(next(self._numbers), self._gone)

    def channel(self) -> Channel:
        """A channel for a new stream."""
        with self._lock:
            self._streams += 1
            if len(self._channels) < CHANNELS:
                self._channels.append(self._open())
            return self._channels[(self._streams - 1) % CHANNELS]

    def _open(self) -> Channel:
        ours, theirs = socket.socketpair()
        if not self.is_process:
            threading.Thread(target=self._worker.work, args=(theirs,), daemon=True).start()
            return Channel(ours, self._gone, self.lose)
        with theirs:
            self._give(b"c", 0, 0, theirs.fileno())
        return Channel(ours, self._gone, self.lose)

    def map(self, whole: torch.Tensor, fd: int | None) -> Thing:
        """Give it a segment of pinned memory: all its bytes, and its file descriptor.

        Raises:
            Lost: it has ended.
        """
        thing = self.thing()
        thing.known = True
        with self.own.lock:
            self.own.send()  # so that freed segments are unmapped
        with self._lock:
            if self.is_process:
                assert fd is not None
                self._give(b"p", thing.number, len(whole), fd)
            else:
                self._worker.segments[thing.number] = whole
        return thing

    def _give(self, kind: bytes, number: int, nbytes: int, fd: int) -> None:
        try:
            if send_some(self._sock, GIVEN.pack(kind, number, nbytes), fd) == GIVEN.size and self._sock.recv(1) == kind:
                return
            why = ""
        except OSError as error:
            why = "" if isinstance(error, ConnectionError) else f"{error}"
        self.lose(why)

    def look(self) -> None:
        """Its socket was readable: another thread has taken the answer, or it has ended, or speaks unasked."""
        with self._lock:
            if not select.select([self._sock], [], [], 0)[0]:
                return
            try:
                why = "it sent a message without a request" if self._sock.recv(1) else ""
            except OSError:
                why = ""
        self.lose(why)

    def lose(self, why: str = "") -> str:
        """The process has ended, or has sent something invalid.

        Args:
            why: What was wrong with its messages; then it is killed.

        Returns:
            The sentence.
        """
        with self._losing:
            if self._ended:
                return self.lost
            self._ended = True
            if not self.is_process:
                self.lost = f"the threads that run kernels were stopped: {why or 'they have ended'}"[:300]
                self.on_loss(self.lost)
                return self.lost
            os.kill(self.pid, signal.SIGKILL)  # has no effect if it has already ended
            _, status = os.waitpid(self.pid, 0)
            if why:
                self.lost = f"the process that runs kernels was stopped: {why}"[:300]
            elif os.WIFSIGNALED(status):
                self.lost = f"a kernel has crashed ({signal.Signals(os.WTERMSIG(status)).name})"
            else:
                self.lost = "the process that runs kernels has ended"
        self.on_loss(self.lost)
        return self.lost

    def close(self) -> None:
        """End it, whatever it does."""
        with self._losing:
            if not self._ended:
                self._ended, self.lost = True, "the device has ended"
                if self.is_process:
                    os.kill(self.pid, signal.SIGKILL)
                    os.waitpid(self.pid, 0)


def _become_worker(sock: socket.socket, limits: Limits) -> None:
    """In the child: nothing but this socket, the keeper's end of which is the only one there is."""
    try:
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        kept = sock.fileno()
        os.closerange(3, kept)
        os.closerange(kept + 1, 1 << 16)
        for descriptor in (0, 1):
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_RDWR), descriptor)
        torch.set_num_threads(limits.threads)
        collect_seldom()
        Worker().serve(sock)
    finally:
        os._exit(0)


def collect_seldom() -> None:
    """Little in these processes is in a cycle, and much is kept, such as the log: Python need not look often."""
    gc.freeze()
    gc.set_threshold(COLLECTED_AFTER)


def hide() -> None:
    """Let no process of the same user look into this one, or write there: its memory and its open files are its own."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


__all__ = ["Kernels", "Lost", "collect_seldom", "hide"]

"""Waits in threads other than the main one: whether the program continues without them.

A thread that waits for the device holds the program up only if another thread waits for it. Linux shows what each
thread is doing. On other systems, a program that sends no request for a while counts as idle.
"""

import contextlib
import ctypes
import os
import platform
import threading

from simgpu.system import tasks

LOOK_SECONDS = 0.001  # at most, between two checks
ASLEEP, LIMITED = 50, 2
"""The program counts as idle after this many checks in a row in which all threads sleep, or in which the main thread
sleeps with a time limit.  A thread that sleeps with a limit is polling."""
RUN_SECONDS = 0.1
"""A thread that uses this many seconds of processor time without a message to the device is polling without a sleep."""
_FUTEX, _ENDING, _MILLISECONDS, _POINTER = {
    "x86_64": (202, (35, 230), {7: 2, 232: 3, 281: 3}, {23: 4, 270: 4, 271: 2}),
    "aarch64": (98, (101, 115), {22: 3}, {72: 4, 73: 2}),
}.get(platform.machine(), (None, (), {}, {}))
"""Numbers of system calls: the lock; sleeps that always end; sleeps whose time limit is in milliseconds or behind a
pointer, each with the index of that argument."""


def _start_of_runtime() -> int:
    with contextlib.suppress(ValueError):
        return ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    return 0


_RUNTIME = _start_of_runtime()


class Local(threading.local):
    """``number`` of a thread: 0 for the main one and for those that the package starts for it and joins."""

    def __init__(self) -> None:
        with _Numbers.lock:
            _Numbers.last += threading.current_thread() is not threading.main_thread()
            self.number = 0 if threading.current_thread() is threading.main_thread() else _Numbers.last


class _Numbers:
    last = 0
    lock = threading.Lock()


LOCAL = Local()
_older = tasks()
_aside: set[str] = set()


class Front:
    """``task``: Linux's number of the main thread, in which the program runs."""

    task = str(os.getpid())


def begin_here() -> None:
    """Make the calling thread the main one."""
    LOCAL.number, Front.task = 0, str(threading.get_native_id())


class Looks:
    """Checks the other threads, once each millisecond, while one thread waits, until they are idle."""

    def __init__(self) -> None:
        self.mine = str(threading.get_native_id())
        self.again(None)

    def __enter__(self) -> "Looks":
        _aside.add(self.mine)
        return self

    def __exit__(self, *error: object) -> None:
        _aside.discard(self.mine)

    def again(self, said: object) -> None:
        """Restart; ``said``: how much the program had sent to the device."""
        self.said, self.looks, self.asleep, self.limited = said, 0, 0, 0
        self.began = self.before = self._seconds()

    def stand_still(self, said: object) -> bool:
        """Check once more: whether the program no longer continues without this thread."""
        if said != self.said:
            self.again(said)
            return False
        self.looks += 1
        if not _older:
            return self.looks > ASLEEP
        others = [self._state(task) for task in self._others()]
        main, now = self._state(Front.task), self._seconds()
        sleeps = main != "runs" and "runs" not in others
        self.asleep = self.asleep + 1 if sleeps and now == self.before else 0
        self.limited += sleeps and main == "sleeps for a while"
        self.before = now
        return (
            self.asleep >= ASLEEP or self.limited >= LIMITED or (self.looks > ASLEEP and now - self.began > RUN_SECONDS)
        )

    def _others(self) -> set[str]:
        return tasks() - _older - _aside - {Front.task}

    def _seconds(self) -> float:
        return sum(int((_read(t, "schedstat").split() or ["0"])[0]) for t in (Front.task, *self._others())) / 1e9

    def _state(self, task: str) -> str:
        words = _read(task, "syscall").split()
        if not words:  # it has ended, or Linux does not report it
            return "runs" if _read(task, "stat").rpartition(")")[2].split()[:1] == ["R"] else "sleeps"
        if len(words) < 7:
            return "runs"
        number, arguments = int(words[0]), [int(word, 16) for word in words[1:7]]
        if number == _FUTEX:
            if _RUNTIME <= arguments[0] < _RUNTIME + (1 << 16):  # it waits for the interpreter's lock, so it would run
                return "runs"
            limited = arguments[3] != 0
        elif number in _MILLISECONDS:
            limited = arguments[_MILLISECONDS[number]] & 0xFFFFFFFF != 0xFFFFFFFF
        else:
            limited = number in _ENDING or (number in _POINTER and arguments[_POINTER[number]] != 0)
        return "sleeps for a while" if limited else "sleeps"


def _read(task: str, name: str) -> str:
    try:
        with open(f"/proc/self/task/{task}/{name}") as file:
            return file.read()
    except OSError:
        return ""

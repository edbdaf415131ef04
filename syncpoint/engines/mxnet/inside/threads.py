"""Watches the threads of this process: the traced code's, its other threads, and the engine's."""

import ctypes
import itertools
import os
import platform
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable, Optional

_get_ident, _get_native_id, _sleep, _open = threading.get_ident, threading.get_native_id, time.sleep, open
_listdir = os.listdir

LOOK_SECONDS = 0.001
# Since its last call into the engine's library, code counts as blocked if all its threads were seen asleep LOOKS times
# in a row and did not run in between; if its front end was seen LIMITED_LOOKS times in a sleep with a time limit, after
# which it can look at something; or, because it can poll without sleeping, if it was looked at LOOKS times and has run
# for RUN_SECONDS. Polling needs both measures: a busy machine stretches the first, and other programs that take the
# processor stretch the second.
LOOKS, LIMITED_LOOKS, RUN_SECONDS = 50, 2, 0.1
REST_LOOKS = 20  # so many looks in a row find all threads asleep when nothing is passed on any more

RUNS, PAUSES, SLEEPS, SLEEPS_FOR_A_WHILE = "runs", "pauses", "sleeps", "sleeps for a while"
# Numbers of system calls, by machine: futex; calls that always end by themselves; calls with a time limit in
# milliseconds, with the place of that argument (-1: no limit); calls with the address of a time limit, likewise (0: no
# limit).
_FUTEX, _ENDING, _MILLISECONDS, _ADDRESS = {
    "x86_64": (202, {35, 230}, {7: 2, 232: 3, 281: 3}, {23: 4, 270: 4, 271: 2}),
    "aarch64": (98, {101, 115}, {22: 3}, {72: 4, 73: 2}),
}.get(platform.machine(), (None, set(), {}, {}))
_NO_LIMIT = 0xFFFFFFFF
_RUNTIME_BYTES = 2**16  # the interpreter's lock is within this distance of the start of its state


def _runtime_address() -> int:
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(ctypes.pythonapi, "_PyRuntime"))
    except ValueError:
        return 0


_RUNTIME = _runtime_address()


class FrontEnd:
    """The thread that creates this object, and those that its code starts, as Linux sees them.

    Attributes:
        calls: How often they have called the engine's library.
    """

    def __init__(self) -> None:
        self.calls = 0
        self._thread, self._task = _get_ident(), _get_native_id()
        self._older_tasks = _tasks()
        # thread -> its turn: the age of what it waits for, and the thread's number
        self._waiting: dict[int, tuple[int, int]] = {}
        self._in_the_library: dict[int, int] = {}  # thread -> the number of its wait inside the library
        self._operators: set[int] = set()  # engine threads whose operators, written in Python, are held back
        # the number of calls after which the code was seen to wait for something outside the library
        self._stopped_at = -1
        self._numbers = itertools.count()

    @property
    def is_here(self) -> bool:
        return _get_ident() == self._thread

    @contextmanager
    def in_turn(self, age: Callable[[], int], condition: Callable[[], bool]) -> Iterator[None]:
        """Surround a wait: waits in other threads open gates one at a time, the one for the oldest result first.

        A wait in another thread stops the code only if the code waits for that thread: without a limit, with a time
        limit, or by polling.  So the wait begins when the code no longer continues by itself, or when there is nothing
        to wait for any more (``condition`` is false).  If several threads each wait for one result, only the gates open
        that the front end waits for, whichever thread came first.  ``age`` returns the result's position in the order
        of enqueueing.
        """
        if self.is_here:
            yield
            return
        task = _get_native_id()
        turn = self._waiting[task] = (age(), next(self._numbers))
        try:
            self._wait_for_turn(condition, lambda: min(self._waiting.values()) == turn)
            yield
        finally:
            del self._waiting[task]

    @contextmanager
    def in_the_library(self) -> Iterator[None]:
        """Surround a wait of the engine's library."""
        task = _get_native_id()
        self._in_the_library[task] = next(self._numbers)
        try:
            yield
        finally:
            del self._in_the_library[task]

    def hold_operator(self, condition: Callable[[], bool]) -> None:
        """Hold back, while the condition holds, the operator in Python that this thread of the engine is about to run.

        It is student code, which can tell the front end that its inputs are computed.  So it runs when the code waits.
        """
        task = _get_native_id()
        self._operators.add(task)
        waits, before = set[int](), set[int]()
        # A wait for something already computed ends at once, so it does not block the code.
        while condition() and not waits & before and self._stopped_at != self.calls:
            _sleep(LOOK_SECONDS)
            waits, before = set(self._in_the_library.values()), waits
        self._operators.discard(task)

    def watch(self, condition: Callable[[], bool], stopped: Callable[[bool], None]) -> None:
        """While the condition holds, watch in a thread for the code to wait for something outside the engine's library.

        Code that computes, or pauses for a fixed time, does not wait.  ``stopped`` is called each time, with whether it
        finds an operator that is held back.
        """
        self._waiting[_get_native_id()] = turn = (sys.maxsize, next(self._numbers))  # after all threads of the code
        while condition():
            self._wait_for_turn(
                condition,
                lambda: not self._in_the_library and min(self._waiting.values()) == turn,
                goes_on=(RUNS, PAUSES),
                most_seconds=float("inf"),
            )
            if condition():
                calls = self.calls
                stopped(bool(self._operators))
                self._stopped_at = calls
                while condition() and self.calls == calls:
                    _sleep(LOOK_SECONDS)

    def _wait_for_turn(
        self,
        condition: Callable[[], bool],
        is_next: Callable[[], bool],
        goes_on: tuple[str, ...] = (RUNS,),
        most_seconds: float = RUN_SECONDS,
    ) -> None:
        looks = asleep = limited = 0
        calls, began, before = self.calls, self._seconds(), -1.0
        while condition() and asleep < LOOKS and limited < LIMITED_LOOKS:
            _sleep(LOOK_SECONDS)
            if self.calls != calls or not is_next():
                looks = asleep = limited = 0
                calls, began = self.calls, self._seconds()
                continue
            state, now = self._state_of_the_code(goes_on), self._seconds()
            looks += 1
            if looks > LOOKS and now - began > most_seconds:
                return
            asleep = asleep + 1 if state not in goes_on and now == before else 0
            limited += state not in (*goes_on, SLEEPS)
            before = now

    def _others(self) -> set[int]:
        """The threads that the code has started, except those that wait for their turn."""
        return _tasks() - self._older_tasks - {self._task, *self._waiting, *self._operators}

    def _state_of_the_code(self, goes_on: tuple[str, ...]) -> str:
        """Return what the front end does, unless another thread may still do something for it."""
        return RUNS if any(_state(task) in goes_on for task in self._others()) else _state(self._task)

    def _seconds(self) -> float:
        return _seconds_of({self._task, *self._others()})


def comes_to_rest(done: Callable[[float], bool]) -> bool:
    """Wait until something is done, or until nothing in this process can still do it; return whether it is done.

    This does not depend on seconds: a thread that could run and gets no processor is not at rest.  ``done`` waits for
    at most this many seconds, and returns whether it is done.
    """
    own = _get_native_id()
    looks = asleep = 0
    began, before = _seconds_of(_tasks() - {own}), -1.0
    while asleep < REST_LOOKS:
        if done(LOOK_SECONDS):
            return True
        others = _tasks() - {own}
        now = _seconds_of(others)
        looks += 1
        if looks > LOOKS and now - began > RUN_SECONDS:
            break
        asleep = asleep + 1 if now == before and not any(_state(task) == RUNS for task in others) else 0
        before = now
    return done(0)


def _state(task: int) -> str:
    """Return what a thread is doing. Waiting for the interpreter's lock is running; an ended thread does not run."""
    words = _read(task, "syscall").split()
    if not words:  # it has ended, or Linux does not report it
        return RUNS if _read(task, "stat").rpartition(")")[2].split()[:1] == ["R"] else SLEEPS
    if len(words) < 7:
        return RUNS
    number, arguments = int(words[0]), [int(word, 16) for word in words[1:7]]
    if number == _FUTEX:
        if _RUNTIME <= arguments[0] < _RUNTIME + _RUNTIME_BYTES:
            return RUNS
        return SLEEPS_FOR_A_WHILE if arguments[3] else SLEEPS
    if number in _ENDING:
        return PAUSES
    if number in _ADDRESS:
        ends = arguments[_ADDRESS[number]] != 0
    else:
        ends = number in _MILLISECONDS and arguments[_MILLISECONDS[number]] & _NO_LIMIT != _NO_LIMIT
    return SLEEPS_FOR_A_WHILE if ends else SLEEPS


def _tasks() -> set[int]:
    return set(map(int, _listdir("/proc/self/task")))


def _seconds(task: int) -> float:
    words = _read(task, "schedstat").split()
    return int(words[0]) / 1e9 if words else 0.0


def _seconds_of(tasks: set[int]) -> float:
    return sum(map(_seconds, tasks))


def _read(task: int, name: str) -> str:
    """Return Linux's report on a thread of this process; "" if there is none."""
    try:
        with _open(f"/proc/self/task/{task}/{name}") as file:
            return file.read()
    except OSError:
        return ""


class _Place(ctypes.Structure):  # Dl_info of <dlfcn.h>
    _fields_ = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


class EngineThreads:
    """The threads that a library has started, recognized by their first function, one of the library's.

    Python's bottom frame says less, because the code that starts a thread chooses it.
    """

    MOST_FRAMES = 10_000
    STARTERS = ("libc.", "libc-", "libpthread", "libstdc++", "ld-linux")

    def __init__(self, function: Any):
        self._libc = ctypes.CDLL(None)
        self._base = self._place_of(ctypes.cast(function, ctypes.c_void_p).value).base
        self._known: set[int] = set()  # kept as long as the engine
        self.started_this_one()  # loads what the first look needs

    def started_this_one(self) -> bool:
        """Whether the calling thread is one of them."""
        task = _get_native_id()
        if task not in self._known and self._first_place().base == self._base:
            self._known.add(task)
        return task in self._known

    def _first_place(self) -> _Place:
        """Return the address of this thread's first function, above those that start every thread."""
        frames = (ctypes.c_void_p * self.MOST_FRAMES)()
        count = self._libc.backtrace(frames, self.MOST_FRAMES)
        place = _Place()
        if count < self.MOST_FRAMES:
            for index in reversed(range(count)):
                place = self._place_of(frames[index])
                if not os.path.basename(place.file or b"").decode(errors="replace").startswith(self.STARTERS):
                    break
        return place

    def _place_of(self, address: Optional[int]) -> _Place:
        place = _Place()
        self._libc.dladdr(ctypes.c_void_p(address), ctypes.byref(place))
        return place

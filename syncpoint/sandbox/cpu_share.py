"""The processor time that a sandbox got, and how long its threads were ready to run without a processor."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import astuple, dataclass
from pathlib import Path

from .usage import STATE, TICKS, read, stat_of

PART = 1 / 3  # of a limit: a run that lost more of it to other programs is judged again


@dataclass(frozen=True)
class CpuShare:
    """The processor time of a sandbox and of the rest of the machine in some period, in seconds."""

    passed: float = 0.0  # wall-clock seconds
    ran: float = 0.0  # seconds of processor time of the sandbox
    waited: float = 0.0  # seconds in which its threads were runnable without a processor, summed over threads
    # seconds of processor time of everything else on the machine, and of the host of a virtual machine
    others: float = 0.0
    could: float = 0.0  # seconds of processor time that were available in all

    def __sub__(self, earlier: "CpuShare") -> "CpuShare":
        return CpuShare(*(now - then for now, then in zip(astuple(self), astuple(earlier), strict=True)))

    @property
    def lost(self) -> float:
        """The processor time that other programs took from the sandbox, at most.

        Not more than its threads waited for: who sleeps or is blocked loses nothing.  Not more than it left of the
        processors, and not more than others used: who waits for threads of their own loses nothing either.
        """
        return max(0.0, min(self.waited, self.could - self.ran, self.others))

    def starved(self, limit: float) -> bool:
        """Return whether others took over a third of a limit, and of the time that the sandbox could have had.

        More than the limit passed if the judge also had no turn.  The second part is about a sandbox that runs much at
        a time: on many processors a third of the limit is little.
        """
        return self.lost > PART * max(limit, self.passed) and self.lost > PART * (self.ran + self.lost)


@dataclass(frozen=True)
class Turn:
    """Linux's data on a thread."""

    ran: float  # seconds of processor time
    waited: float  # seconds that it was runnable without a processor, before it last got one
    times: int  # how often it got a processor
    runnable: bool  # whether it runs or would like to


class Meter:
    """Measures the share of one sandbox from now on, and who used up its limits of time. Any thread may read it.

    For one request: `go_on` as it is sent, `reach_the_limit` when its time is over and its code is being stopped, and
    `ran_out` from each deadline that has passed.  If others had used that time, the meter is `starved`.

    Args:
        look: Gives the threads of the sandbox by their numbers, and how long all of it has run so far.

    Attributes:
        starved: Whether anything was ended by a limit that others had used up.
    """

    def __init__(self, look: Callable[[], tuple[dict[int, Turn], float]]):
        self.starved = False
        self._look, self._lock = look, threading.Lock()
        self._turns, self._ran = look()
        self._counted: dict[int, float] = {}  # of each thread's current wait, the part that is already counted
        self._began, self._busy = time.monotonic(), busy_seconds()
        self._last = CpuShare()
        self._at_the_limit: CpuShare | None = None

    def read(self, age: float = 0.5) -> CpuShare:
        """Return the share since the beginning, possibly a moment old, because reading takes milliseconds.

        A thread's wait between the last reading and its end is in none of them.
        """
        with self._lock:
            passed = time.monotonic() - self._began
            if passed - self._last.passed < age:
                return self._last
            turns, ran = self._look()
            if not turns:  # the sandbox has ended
                return self._last
            own = max(self._last.ran, ran - self._ran)
            waited = self._last.waited + self._waited_since(turns, passed - self._last.passed)
            others, could = busy_seconds() - self._busy - own, passed * len(os.sched_getaffinity(0))
            self._turns, self._last = turns, CpuShare(passed, own, waited, others, could)
            return self._last

    def own_seconds(self, since: CpuShare) -> float:
        """Return the seconds since a reading, without the time that others took from the sandbox."""
        share = self.read(age=0.1) - since
        return share.passed - share.lost

    def go_on(self) -> None:
        """Note that the sandbox gets new work."""
        self._at_the_limit = None

    def reach_the_limit(self) -> None:
        """Note a reached time limit: time until the code has stopped does not count against others."""
        self._at_the_limit = self.read(age=0.0)

    def ran_out(self, limit: float, since: CpuShare) -> None:
        """Note that a limit of this many seconds since this reading has ended something, and who used the time."""
        reached = self._at_the_limit or self.read(age=0.0)
        self.starved = self.starved or (reached - since).starved(limit)

    def _waited_since(self, turns: dict[int, Turn], seconds: float) -> float:
        """Return how long these threads have waited since the last reading.

        Linux counts a wait when it is over: one that goes on, which may be all that there is, is known by a thread
        that was runnable both times and had no turn.
        """
        total, going_on = 0.0, {}
        for number, turn in turns.items():
            before, counted = self._turns.get(number, Turn(0.0, 0.0, 0, False)), self._counted.get(number, 0.0)
            if before.runnable and turn.runnable and before.times == turn.times:
                waited = max(0.0, seconds - (turn.ran - before.ran))
                going_on[number] = counted + waited
            else:  # a new thread may have the number of one that has ended
                waited = max(0.0, turn.waited - before.waited - counted)
            total += waited
        self._counted = going_on
        return total


def turns_of(threads: list[int]) -> dict[int, Turn]:
    """Return these threads, except ended ones and those that Linux does not count."""
    found = {}
    for thread in threads:
        try:
            ran, waited, times = map(int, read(thread, "schedstat").split())
            state = stat_of(thread)[STATE]
        except (OSError, ValueError, IndexError):
            continue
        found[thread] = Turn(ran / 1e9, waited / 1e9, times, state == b"R")
    return found


def busy_seconds(stat: Path = Path("/proc/stat")) -> float:
    """Processor time used since the machine started: by programs, by Linux, by the host of a virtual machine."""
    user, nice, system, _idle, _io, irq, softirq, steal = map(int, stat.read_bytes().split(None, 9)[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS

"""Collects a notebook's suspicious acts, reported by its kernel or seen by the judge from outside.

The kinds of acts that a kernel reports, and how they are found, are in probe/acts.py; those that only the judge sees
are here. The kernel's report is a student's data like any other: bounded, parsed here, and never believed to be whole.
"""

import contextlib
import re
from dataclasses import dataclass, field
from typing import Any, Literal

import psutil

from ..core.messages import Message
from ..core.results import SuspiciousAct
from ..probe.acts import KINDS

# Acts that only the judge sees; each has a sentence ``act_<kind>`` in core/texts.py, like the kinds of probe/acts.py.
SeenByJudge = Literal["report", "messages", "threads", "left over"]
MAX_PER_KIND = 5  # of one kind, so that many of one kind do not hide others
MAX_ACTS = 1000  # in one report; the integrity monitor sends far fewer
NAME_LENGTH = 100
# Control characters can disturb a terminal, and angle brackets a browser.
_UNPRINTABLE = re.compile(r"[^\w .,:()/'-]", re.ASCII)


@dataclass
class ActCollector:
    """The suspicious acts of one notebook, each once, with the time when it was first seen."""

    acts: list[SuspiciousAct] = field(default_factory=list)
    # the time of the next report's acts; the runner of the notebook keeps it up to date
    moment: Message = field(default_factory=lambda: Message("at_first"))
    threads: int = 0  # how many threads of the notebook ran in parallel to its last request
    _known: set[tuple[str, str]] = field(default_factory=set)

    def add_report(self, content: dict[str, Any]) -> None:
        try:
            acts, threads = _parse(content["integrity"])
        except (KeyError, TypeError, ValueError):
            self.see("report")
            return
        self.threads = threads
        for kind, name in acts:
            self._add(kind, name)

    def at_the_end(self, processes: int) -> None:
        """Add what still runs: threads, by the last report, and this number of processes."""
        self.moment = Message("at_the_end")
        if self.threads:
            self.see("threads", str(self.threads))
        if processes:
            self.see("left over", str(processes))

    def see(self, kind: SeenByJudge, what: str | Message = "") -> None:
        """Add an act that the judge itself saw."""
        self._add(kind, what)

    def _add(self, kind: str, what: str | Message) -> None:
        listed = sum(act.kind == kind for act in self.acts)
        if (kind, str(what)) in self._known or listed > MAX_PER_KIND:
            return
        self._known.add((kind, str(what)))
        if listed < MAX_PER_KIND:
            message = Message.of(f"act_{kind}", what=what, moment=self.moment)
        else:
            message = Message.of("more_acts", kind=kind, listed=MAX_PER_KIND, moment=self.moment)
        self.acts.append(SuspiciousAct(kind, message))


def _parse(report: Any) -> tuple[list[tuple[str, str]], int]:
    """Return the acts (kind, name) and the number of threads. Raises KeyError, TypeError or ValueError."""
    if len(report["acts"]) > MAX_ACTS:
        raise ValueError("more acts than the integrity monitor reports")
    acts = [(kind, name) for kind, name in report["acts"]]
    if not all(type(kind) is str and kind in KINDS and type(name) is str for kind, name in acts):
        raise ValueError("an act that the integrity monitor does not know")
    threads = report["threads"]
    if type(threads) is not int or not 0 <= threads < 10_000:
        raise ValueError("no number of threads")
    return [(kind, _UNPRINTABLE.sub("?", name[:NAME_LENGTH])) for kind, name in acts], threads


def left_over(kernel: psutil.Process, inside: list[psutil.Process]) -> int:
    """Return how many processes of the notebook run next to the kernel.  Workers of Python's pools do not count."""
    first, own = kernel.ppid(), kernel.cmdline()
    count = 0
    for process in inside:
        with contextlib.suppress(psutil.Error):
            if process.pid in (first, kernel.pid) or process.status() == psutil.STATUS_ZOMBIE:
                continue
            command = process.cmdline()
            # A worker is a copy of the kernel, or claims to be one; a process without a parent has escaped.
            worker = command == own or any("multiprocessing" in word for word in command)
            count += not worker or process.ppid() == first
    return count

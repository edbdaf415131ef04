"""Flags: what is suspicious about a notebook, as its kernel reports it and as the judge sees it from outside.

The kernel's report is a student's data like any other: bounded, parsed here, and never believed to be whole.
"""

import contextlib
import re
from dataclasses import dataclass, field
from typing import Any

import psutil

from .verdict import Flag

MAX_FLAGS = 5  # of one kind, so that no flood of one hides another
MAX_ACTS = 1000  # in one report; the lookout tells of far fewer
NAME_LENGTH = 100
# Control characters could play with a terminal, and angle brackets with a browser.
_UNPRINTABLE = re.compile(r"[^\w .,:()/'-]", re.ASCII)

# What the kernel may report.  {}: what the act was done to, in the kernel's words.
REPORTED = {
    "patched": "`{}` was replaced or changed",
    "transformer": "IPython's {} were changed, so other code runs than the cells show",
    "display": "what shows results was replaced: `{}`",
    "tracing": "a hook that sees all code run was set: `{}`",
    "search": "the notebook looked for objects that are not its own: `{}`",
    "memory": "the notebook reached around Python into the memory of its process: `{}`",
    "kernel": "the notebook touched the kernel or its channels: `{}`",
    "probe": "the notebook tried to import the grader's part in its kernel: `{}`",
    "files": "the notebook opened a file of the grader's: `{}`",
    "environment": "a variable of the engine was changed: `{}`",
    "signals": "a signal was sent, or its handler replaced: `{}`",
    "processes": "the notebook copied its process: `{}`",
    "blinded": "looking for suspicious acts failed in the kernel",
}
# What the judge sees by itself.
SEEN = {
    "messages": "the kernel sent {}",
    "threads": "threads of the notebook still ran: {}",
    "left over": "processes of the notebook still ran: {}",
    "report": "the kernel's report of suspicious acts was missing or false",
}

MORE = f"there was more of the kind `{{}}`; only the first {MAX_FLAGS} are listed"


@dataclass
class Suspicions:
    """The flags of one notebook: each act once, with the moment at which it was first seen.

    moment: when whatever is heard next happened; the runner of the notebook keeps it up to date.
    threads: how many threads of the notebook ran beside its last request.
    """

    flags: list[Flag] = field(default_factory=list)
    moment: str = "before the first cell"
    threads: int = 0
    _known: set[tuple[str, str]] = field(default_factory=set)

    def hear(self, content: dict[str, Any]) -> None:
        """Take in the report that came with a reply of the kernel."""
        try:
            acts, threads = _parse(content["integrity"])
        except (KeyError, TypeError, ValueError):
            self.see("report")
            return
        self.threads = threads
        for kind, name in acts:
            self._add(kind, REPORTED[kind], name)

    def at_the_end(self, processes: int) -> None:
        """Add what still runs: threads, by the last report, and so many processes."""
        self.moment = "at the end"
        if self.threads:
            self.see("threads", str(self.threads))
        if processes:
            self.see("left over", str(processes))

    def see(self, kind: str, what: str = "") -> None:
        """Add what the judge saw by itself."""
        self._add(kind, SEEN[kind], what)

    def _add(self, kind: str, text: str, name: str) -> None:
        listed = sum(flag.kind == kind for flag in self.flags)
        if (kind, name) in self._known or listed > MAX_FLAGS:
            return
        self._known.add((kind, name))
        sentence = text.format(name) if listed < MAX_FLAGS else MORE.format(kind)
        self.flags.append(Flag(kind, f"{sentence[0].upper()}{sentence[1:]} (first seen {self.moment})."))


def _parse(report: Any) -> tuple[list[tuple[str, str]], int]:
    """Acts, each a kind and a name, and the number of threads.  Raises KeyError, TypeError or ValueError."""
    if len(report["acts"]) > MAX_ACTS:
        raise ValueError("more acts than the lookout tells of")
    acts = [(kind, name) for kind, name in report["acts"]]
    if not all(type(kind) is str and kind in REPORTED and type(name) is str for kind, name in acts):
        raise ValueError("an act that the lookout does not know")
    threads = report["threads"]
    if type(threads) is not int or not 0 <= threads < 10_000:
        raise ValueError("no number of threads")
    return [(kind, _UNPRINTABLE.sub("?", name[:NAME_LENGTH])) for kind, name in acts], threads


def left_over(kernel: psutil.Process, inside: list[psutil.Process]) -> int:
    """How many processes of the notebook run beside the kernel.  Workers of Python's own pools count nothing.

    inside: all processes of its world.  Raises psutil.Error if the kernel ends meanwhile.
    """
    first, own = kernel.ppid(), kernel.cmdline()
    count = 0
    for process in inside:
        with contextlib.suppress(psutil.Error):
            if process.pid in (first, kernel.pid) or process.status() == psutil.STATUS_ZOMBIE:
                continue
            command = process.cmdline()
            # A worker is a copy of the kernel, or says that it is one; whoever is nobody's child has slipped away.
            worker = command == own or any("multiprocessing" in word for word in command)
            count += not worker or process.ppid() == first
    return count

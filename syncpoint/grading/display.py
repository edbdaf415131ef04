"""Progress of grading: live on a terminal, plain lines otherwise, and JSON events for scripts."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import IO, Any, Literal

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from rich.table import Table

from ..core.strip import strip_control

Outcome = Literal["graded", "from the store", "provisional", "unchanged", "not graded"]
COMMITTED: tuple[Outcome, ...] = ("graded", "from the store", "provisional")
SLOWEST = 5
FAILURES_SHOWN = 20  # if a whole class fails, there is one reason
AGAIN = "Run the same command again: it retries everybody who was not graded."
PROVISIONAL = "provisional: we hit a problem, and points may be missing (see above). Fix it and grade again."


@dataclass(frozen=True)
class SubmissionOutcome:
    """The outcome of one submission."""

    student: str
    outcome: Outcome
    seconds: float = 0.0  # seconds of judging on its worker
    reason: str = ""  # why not graded


class Display:
    """Shows one grading run. Use :meth:`shown` around it.

    ``events`` gets a JSON object a line, for scripts: its "event" is "begin", "ended" for each submission, "note", or
    "summary" at the end.
    """

    def __init__(self, assignment: str, screen: Console, events: IO[str] | None = None):
        self.assignment, self._screen, self._events = assignment, screen, events
        self._lock = threading.RLock()  # workers report in a separate thread
        self._began = time.monotonic()
        self._total = 0
        self._counts: Counter[Outcome] = Counter()
        self._slowest: list[SubmissionOutcome] = []
        self._failed: list[SubmissionOutcome] = []
        self._provisional: set[str] = set()
        self._at: dict[str, tuple[str, float]] = {}  # worker -> what it judges, and since when
        self._current = ""
        self._missing = False  # whether a submission is ungraded that is not in the list of failures
        self._live = Live(console=screen, get_renderable=self._render, refresh_per_second=4, transient=True)

    @contextmanager
    def shown(self) -> Iterator["Display"]:
        """Show it during the block, then the summary."""
        if self._screen.is_terminal:
            with self._live:
                yield self
        else:
            yield self
        self._summarise()

    @property
    def complete(self) -> bool:
        """Whether everybody is graded, without a problem on our side."""
        return self.all_graded and not self._counts["provisional"]

    @property
    def all_graded(self) -> bool:
        """Whether everybody is graded, perhaps with a problem on our side."""
        return not (self._failed or self._missing)

    @property
    def failed(self) -> set[str]:
        return {ended.student for ended in self._failed}

    @property
    def provisional(self) -> set[str]:
        """The students whose score is affected by a problem on our side."""
        return set(self._provisional)

    @property
    def current(self) -> str:
        """The student who was finished last; "" at the start."""
        return self._current

    def begin(self, submissions: int) -> None:
        """Add to the number of submissions to check."""
        with self._lock:
            self._total += submissions
            self._emit("begin", assignment=self.assignment, submissions=submissions)

    def judging(self, worker: str, student: str) -> None:
        """Show that a worker begins to judge a student's work."""
        with self._lock:
            self._at[worker] = (student, time.monotonic())

    def workers(self, workers: list[str]) -> None:
        with self._lock:
            self._at = {worker: self._at.get(worker, ("", time.monotonic())) for worker in workers}

    def judged(self, worker: str, student: str) -> None:
        """Note a worker's answer for this student; the worker may have begun the next one."""
        with self._lock:
            if self._at.get(worker, ("", 0))[0] == student:
                self._at[worker] = ("", time.monotonic())

    def ended(self, ended: SubmissionOutcome) -> None:
        with self._lock:
            self._current = ended.student
            self._counts[ended.outcome] += 1
            self._slowest = sorted([*self._slowest, ended], key=lambda other: -other.seconds)[:SLOWEST]
            if ended.outcome == "not graded":
                self._failed.append(ended)
            if ended.outcome == "provisional":
                self._provisional.add(ended.student)
            self._emit("ended", **asdict(ended))
            if ended.outcome == "not graded":
                self._warn(f"{ended.student} is not graded: {ended.reason}")
            elif ended.outcome in COMMITTED and not self._screen.is_terminal:
                self._say(f"{ended.student} {ended.outcome} ({self._pace()})")

    def nobody(self, name: str, reason: str) -> None:
        """Report that a requested student has no submission."""
        with self._lock:
            self._missing = True
            self._emit("ended", **asdict(SubmissionOutcome(name, "not graded", reason=reason)))
            self._warn(f"{name!r} is not graded: {reason}")

    def stopped(self, reason: str) -> None:
        self._missing = True
        self.note(reason)

    def note(self, text: str) -> None:
        with self._lock:
            self._emit("note", text=text)
            self._warn(text)

    def _say(self, text: str) -> None:
        self._screen.print(
            f"grading {self.assignment}: {strip_control(text)}", markup=False, highlight=False, soft_wrap=True
        )

    def _warn(self, text: str) -> None:
        self._say(text)

    def _emit(self, event: str, **more: Any) -> None:
        if self._events is not None:
            print(json.dumps({"event": event, **more}), file=self._events, flush=True)

    @property
    def _done(self) -> int:
        return sum(self._counts.values())

    def _pace(self) -> str:
        """Return position, rate and time left; submissions that were only checked do not count for the rate."""
        worked = self._done - self._counts["unchanged"]
        seconds = time.monotonic() - self._began
        left = seconds / worked * (self._total - self._done) if worked else 0
        pace = f", {60 * worked / seconds:.0f} a minute" if worked else ""
        return f"{self._done} of {self._total}{pace}" + (f", about {left:.0f} s left" if left else "")

    def _render(self) -> RenderableType:
        with self._lock:
            head = Table.grid(padding=(0, 1))
            head.add_row(f"grading {self.assignment}", ProgressBar(self._total or 1, self._done, 30), self._pace())
            now, rows = time.monotonic(), Table.grid(padding=(0, 2))
            for worker, (student, since) in self._at.items():
                rows.add_row(
                    "", worker, f"{escape(strip_control(student))}, {now - since:.0f} s" if student else "waits"
                )
            return Group(head, rows)

    def _summarise(self) -> None:
        seconds = time.monotonic() - self._began
        counts = {outcome: self._counts[outcome] for outcome in (*COMMITTED, "unchanged", "not graded")}
        slowest = [(ended.student, round(ended.seconds, 2)) for ended in self._slowest if ended.seconds]
        failed = [(ended.student, ended.reason) for ended in self._failed]
        self._emit("summary", seconds=round(seconds, 2), counts=counts, slowest=slowest, failed=failed)
        summary = ", ".join(f"{count} {outcome}" for outcome, count in counts.items() if count) or "nobody was graded"
        self._say(f"{summary}; {seconds:.1f} s")
        if slowest:
            self._say("slowest: " + ", ".join(f"{student} {took:.1f} s" for student, took in slowest))
        for student, reason in failed[:FAILURES_SHOWN]:
            self._say(f"not graded: {student}: {reason}")
        if len(failed) > FAILURES_SHOWN:
            self._say(f"not graded: {len(failed) - FAILURES_SHOWN} more")
        if self._counts["provisional"]:
            self._say(PROVISIONAL)
        if failed:
            self._say(AGAIN)

"""One run of student code in a scenario: gates before it, the trace while it runs, and in the end every gate open."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Callable, Optional

from .trace import Gate, Trace

if TYPE_CHECKING:  # it imports this module
    from .handlers import Probe


class Run:
    """What ``probe.run`` gives a scenario.

    Args:
        trace: The log and the gates.

    Attributes:
        error: How the code failed, or what it had enqueued; None so far.
    """

    def __init__(self, probe: "Probe", trace: Trace):
        self.trace = trace
        self.error: Optional[dict[str, Any]] = None
        self._probe = probe

    def close(self, array: Any, label: str) -> Gate:
        """Keep an array pending until a wait needs it, or the returned gate is opened.

        Args:
            array: The engine's own.
            label: What the log calls the gate.
        """
        gate: Gate = self._probe.engine.close_gate(self.trace, array, label)
        return gate

    @contextmanager
    def traced(self) -> Iterator[Trace]:
        """Everything that the front end asks of the engine in the block is in the log; gates stay closed behind it."""
        with self._probe.engine.tracing(self.trace), self.trace:
            yield self.trace

    def call(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        """Call student code, traced.

        Args:
            function: The student's.
            *arguments: Passed on.
            **keywords: Passed on.

        Returns:
            What it returned, or None if it failed: then ``error`` says how.
        """
        with self.traced():
            returned, error = self._probe.attempt(function, *arguments, **keywords)
        self.error = self.error or error
        return returned

    def paused(self) -> AbstractContextManager[None]:
        """What this thread asks for in the block is none of the student's: it is neither logged nor held back."""
        return self.trace.paused()

    def mark(self, kind: str, label: str = "") -> None:
        """Leave a mark in the log, at this place of its order: an event of this kind, a word of the scenario's own."""
        self.trace.log(kind, label)
        self._probe.engine.mark(kind, label)

    def finish(self) -> None:
        """Open every gate and wait; an operation that failed shows only now."""
        self.trace.end()
        self.error = self.error or self._probe.attempt(self._probe.engine.wait_all)[1]

    def report(self, **found: Any) -> dict[str, Any]:
        """What a scenario returns: the error, the log, and what it found besides."""
        return {"error": self.error, "events": self._probe.log_of(self.trace), **found}


@contextmanager
def run(probe: "Probe", trace: Trace) -> Iterator[Run]:
    """A run in the block: it begins when everything is computed, and ends with every gate open."""
    probe.engine.wait_all()
    running = Run(probe, trace)
    try:
        yield running
        running.finish()
    finally:
        probe.engine.release(trace)

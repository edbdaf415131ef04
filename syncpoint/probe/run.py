"""One run of student code in a scenario: gates before it, the trace while it runs, and in the end every gate open."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Callable, Optional

from .contract import InsideEngine
from .serialization import Encoded
from .trace import Gate, Trace


class Run:
    """The result of ``probe.run`` for a scenario.

    Args:
        engine: The adapter.
        trace: The log and the gates.
        attempt: Calls code, and says how it failed; see `Probe.attempt`.
        log_of: Makes the log of a trace ready for the reply.

    Attributes:
        error: How the code failed, or what it had enqueued; None so far.
    """

    def __init__(
        self, engine: InsideEngine, trace: Trace, attempt: Callable[..., Any], log_of: Callable[[Trace], Encoded]
    ):
        self.trace = trace
        self.error: Optional[dict[str, Any]] = None
        self._engine, self._attempt, self._log_of = engine, attempt, log_of

    def close(self, array: Any, label: str) -> Gate:
        """Keep an array pending until a wait needs it, or the returned gate is opened."""
        gate: Gate = self._engine.close_gate(self.trace, array, label)
        return gate

    @contextmanager
    def traced(self) -> Iterator[Trace]:
        """Everything that the front end asks of the engine in the block is in the log; gates stay closed behind it."""
        with self._engine.tracing(self.trace), self.trace:
            yield self.trace

    def call(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        """Call student code, traced. Returns what it returned, or None if it failed: then ``error`` says how."""
        with self.traced():
            returned, error = self._attempt(function, *arguments, **keywords)
        self.error = self.error or error
        return returned

    def paused(self) -> AbstractContextManager[None]:
        """Exclude this thread's calls in the block from the log and the gates: they are not the student's."""
        return self.trace.paused()

    def mark(self, kind: str, label: str = "") -> None:
        """Leave a mark in the log, at this place of its order: an event of this kind, a word of the scenario's own."""
        self.trace.log(kind, label)
        self._engine.mark(kind, label)

    def finish(self) -> None:
        """Open every gate and wait; an operation that failed shows only now."""
        self.trace.end()
        self.error = self.error or self._attempt(self._engine.wait_all)[1]

    def report(self, **found: Any) -> dict[str, Any]:
        """Return a scenario's result: the error, the log, and its own findings."""
        return {"error": self.error, "events": self._log_of(self.trace), **found}


@contextmanager
def run(
    engine: InsideEngine, trace: Trace, attempt: Callable[..., Any], log_of: Callable[[Trace], Encoded]
) -> Iterator[Run]:
    """A run in the block: it begins when everything is computed, and ends with every gate open."""
    engine.wait_all()
    running = Run(engine, trace, attempt, log_of)
    try:
        yield running
        running.finish()
    finally:
        engine.release(trace)

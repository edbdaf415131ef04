"""One run of student code in a scenario: gates before it, the trace while it runs, and in the end every gate open."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from operator import is_
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
        self._given: list[tuple[Any, Any]] = []
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

    def give(self, container: Any) -> Any:
        """Return a list or dict that student code gets; `report` says how many of these hold something else by then.

        That tells honest students of a promise which they broke.  Whoever forges the count gains nothing but it.
        """
        self._given.append((container, container.copy()))
        return container

    def paused(self) -> AbstractContextManager[None]:
        """Exclude this thread's calls in the block from the log and the gates: they are not the student's."""
        return self.trace.paused()

    def mark(self, kind: str, label: str = "") -> None:
        """Leave a mark in the log, at this place of its order: an event of this kind, a word of the scenario's own."""
        self.trace.log(kind, label)
        self._engine.mark(kind, label)

    def finish(self) -> None:
        """Open every gate and wait; a failed operation raises its error only now."""
        self.trace.end()
        self.error = self.error or self._attempt(self._engine.wait_all)[1]

    def report(self, **found: Any) -> dict[str, Any]:
        """Return a scenario's result: the error, the log, the changed containers, and its own findings."""
        changed = sum(not _is_the_same(*pair) for pair in self._given)
        return {"error": self.error, "events": self._log_of(self.trace), "containers_changed": changed, **found}


def _is_the_same(container: Any, copy: Any) -> bool:
    """Whether a list or dict holds the very objects of its copy, in their order."""
    now, before = (
        [part for item in one.items() for part in item] if isinstance(one, dict) else one for one in (container, copy)
    )
    return len(now) == len(before) and all(map(is_, now, before))


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

"""A run of student code in a scenario: gates before it, a trace during it, all gates open at the end."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from operator import is_
from typing import Any, Callable, Optional

from .inside_engine import InsideEngine
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
        """Log all of the front end's calls to the engine in the block; gates stay closed after it."""
        with self._engine.tracing(self.trace), self.trace:
            yield self.trace

    def call(self, function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        """Call student code, traced. Returns what it returned, or None if it failed: then ``error`` says how."""
        with self.traced():
            returned, error = self._attempt(function, *arguments, **keywords)
        self.error = self.error or error
        return returned

    def give(self, container: Any) -> Any:
        """Return a list or dict for student code; `report` counts those that have changed by then.

        This shows honest students a broken promise. Forging the count gains nothing else.
        """
        self._given.append((container, container.copy()))
        return container

    def paused(self) -> AbstractContextManager[None]:
        """Exclude this thread's calls in the block from the log and the gates: they are not the student's."""
        return self.trace.paused()

    def mark(self, kind: str, label: str = "") -> None:
        """Leave a mark at this place of the log: an event of this kind, a name that the scenario chooses."""
        self.trace.log(kind, label)
        self._engine.mark(kind, label)

    def finish(self) -> None:
        """Open every gate and wait; only now does a failed operation raise its error."""
        self.trace.end()
        self.error = self.error or self._attempt(self._engine.wait_all)[1]

    def report(self, **found: Any) -> dict[str, Any]:
        """Return a scenario's result: the error, the log, the changed containers, and its own findings."""
        changed = sum(not _is_the_same(*pair) for pair in self._given)
        return {"error": self.error, "events": self._log_of(self.trace), "containers_changed": changed, **found}


def _is_the_same(container: Any, copy: Any) -> bool:
    """Whether a list or dict contains the same objects as its copy, in the same order."""
    now, before = (
        [part for item in one.items() for part in item] if isinstance(one, dict) else one for one in (container, copy)
    )
    return len(now) == len(before) and all(map(is_, now, before))


@contextmanager
def run(
    engine: InsideEngine, trace: Trace, attempt: Callable[..., Any], log_of: Callable[[Trace], Encoded]
) -> Iterator[Run]:
    """Yield a run that begins when everything is computed and ends with every gate open."""
    engine.wait_all()
    running = Run(engine, trace, attempt, log_of)
    try:
        yield running
        running.finish()
    finally:
        engine.release(trace)

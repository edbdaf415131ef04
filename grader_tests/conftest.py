"""One training epoch of the student's, as the graders of the three training loops see it."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pytest

from syncpoint.graders import first_wait, saw

LEARNING_RATE = 0.1
# An input of a ReLU so near to 0 may have one sign in float64 and the other in float32; and where errors become so
# large, the training runs away, and makes rounding errors large, too.  Of 60,000 other draws in float32, none was off
# by more than a thirtieth of what check_weights allows.
KINK, RUNAWAY = 1e-4, 20.0


@dataclass(frozen=True)
class Epoch:
    """What one epoch did, beside what a right one does to the same weights and batches.

    batches: how many there are.  events: the log; see probes/async.py for its words.
    unfinished: gates that were still closed at return.  loss: the right sum of mean losses.
    """

    batches: int
    calls: int
    returned: Any
    unfinished: list[str]
    events: tuple[Any, ...]
    weights: list[np.ndarray]
    right_weights: list[np.ndarray]
    loss: float

    @cached_property
    def _moments(self) -> list[tuple[str, int, int, int]]:
        """After each event: its kind, and how many batches were drawn, started and finished in this pass.

        The kind is "wait" for whatever opened a gate: waits for work that was done already do not count.
        Of several forward passes of a batch only the last one starts it: nothing was trained on the others.
        """
        moments, closed, drawn, started = [], Counter(), 0, set()
        last = {event.name: place for place, event in enumerate(self.events) if event.kind == "start"}
        for place, event in enumerate(self.events):
            closed.subtract(event.opened)
            if event.kind == "epoch":
                drawn, started = 0, set()
            elif event.kind == "draw":
                drawn += 1
            elif event.kind == "start":
                closed[event.name] += 1
                if place == last[event.name]:
                    started.add(event.name)
            elif event.kind == "loss":
                closed[event.name] += 1
            finished = sum(closed[batch] <= 0 for batch in started)
            moments.append(("wait" if event.opened else event.kind, drawn, len(started), finished))
        return moments

    @property
    def most_in_flight(self) -> int:
        """The most batches that were started and unfinished at one time."""
        return max((started - finished for _, _, started, finished in self._moments), default=0)

    @property
    def most_held(self) -> int:
        """The most batches that were drawn and unfinished when a batch started."""
        return max((drawn - finished for kind, drawn, _, finished in self._moments if kind == "start"), default=0)

    @property
    def started_before_first_wait(self) -> int:
        """How many batches were started before the code first waited for unfinished work."""
        count = 0
        for kind, _, started, _ in self._moments:
            if kind == "wait":
                break
            count = started
        return count

    @property
    def pace(self) -> str:
        """What the student may read of the first wait."""
        started = self.started_before_first_wait
        return f"Your loop waited after {started} of {self.batches} batches. The first wait: {first_wait(self.events)}."

    @property
    def leftovers(self) -> str:
        """What the student may read of the end."""
        if not self.started_before_first_wait:
            return "No batch was started before the first wait."
        labels = list(dict.fromkeys(map(str, self.unfinished)))
        return f"Unfinished when your function returned: {', '.join(labels[-3:])}."

    def check_one_pass(self) -> None:
        """Fail unless the data were gone through once."""
        with saw(f"Calls of data_iter(): {self.calls}."):
            assert self.calls == 1

    def check_weights(self) -> None:
        """Fail unless the weights are those of a right epoch."""
        for seen, right in zip(self.weights, self.right_weights, strict=True):
            np.testing.assert_allclose(seen, right, rtol=1e-3, atol=1e-4)


@pytest.fixture(scope="module")
def train(student):
    """``train(function, batches, *arguments)``: one epoch with fresh weights and batches; the same call runs once."""
    epochs: dict[tuple, Epoch] = {}

    def run(function: str, batches: int, *arguments: Any) -> Epoch:
        key = (function, batches, arguments)
        if key not in epochs:
            epochs[key] = _epoch(student, function, batches, arguments)
        return epochs[key]

    return run


def _epoch(student, function, count, arguments):
    rng = np.random.default_rng()
    features, hidden = rng.integers(3, 6, size=2)
    # No batch has the size of the first, so who uses that size for all gets every update wrong; the last is smallest.
    sizes = [8, *map(int, rng.integers(4, 8, size=count - 2)), 3]
    right = None
    while right is None:
        weights = [rng.normal(size=shape) for shape in [(hidden, features), (hidden,), (1, hidden), (1,)]]
        batches = [(rng.normal(size=(size, features)), rng.normal(size=size)) for size in sizes]
        weights = [values.astype(np.float32) for values in weights]
        batches = [(X.astype(np.float32), y.astype(np.float32)) for X, y in batches]
        right = right_epoch(weights, batches)
    right_weights, loss = right
    seen = student.observe(
        "training",
        function=function,
        weights=weights,
        batches=batches,
        learning_rate=LEARNING_RATE,
        arguments=list(arguments),
    )
    return Epoch(
        batches=count,
        calls=seen["data_iter_calls"],
        returned=seen["returned"],
        unfinished=seen["unfinished"],
        events=seen["events"],
        weights=seen["weights"],
        right_weights=right_weights,
        loss=loss,
    )


def right_epoch(weights, batches):
    """Train Dense(relu), Dense(1) on half the squared error with plain SGD.

    Returns weights and summed mean loss, or None if rounding errors could change the weights much.
    """
    W1, b1, W2, b2 = (np.array(values, dtype=np.float64) for values in weights)
    total = 0.0
    for X, y in batches:
        rate = LEARNING_RATE / len(X)
        before = X @ W1.T + b1
        after = np.maximum(before, 0)
        error = after @ W2.T + b2 - y[:, None]
        total += (error**2).mean() / 2
        if np.abs(before).min() < KINK or np.abs(error).max() > RUNAWAY:
            return None
        back = error @ W2 * (before > 0)
        W2, b2 = W2 - rate * error.T @ after, b2 - rate * error.sum(axis=0)
        W1, b1 = W1 - rate * back.T @ X, b1 - rate * back.sum(axis=0)
    return [W1, b1, W2, b2], total

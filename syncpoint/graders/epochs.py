"""A student's training epoch, for the graders of training loops: a fixture `train` and an `Epoch`."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
import pytest

from ..judge.student import Student
from . import Message, first_wait, joined, message, saw
from .reference import Batch, Recipe, Weights, drawn_epoch, right_epoch, right_pass

# Code with a hard-coded loss or update has those of the notebook, not these.
RECIPE = Recipe("L1Loss", "SGD", (("lr", 0.1), ("momentum", 0.8), ("wd", 0.05)))
HELD = 13  # batches that are held: all batches of a short epoch


@dataclass(frozen=True)
class Epoch:
    """One epoch, compared with a right one on the same weights and batches.

    Attributes:
        batches: How many batches there are.
        calls: How often the data iterator was called.
        changed: How many of the iterator's arrays were changed.
        returned: The return value of the student's function.
        unfinished: Gates that were still closed at return.
        events: The log; the scenario `training` in grader_tests/async/scenarios.py defines its words.
        counted: The place in the log of each start of a batch that counts: the attempt that its update follows.
        weights: The weights after the epoch.
        right_weights: The weights after a correct epoch.
        loss: The correct sum of mean losses.
    """

    batches: int
    calls: int
    changed: int
    returned: Any
    unfinished: list[str]
    events: tuple[Any, ...]
    counted: frozenset[int]
    weights: list[np.ndarray]
    right_weights: list[np.ndarray]
    loss: float

    @cached_property
    def _moments(self) -> list[tuple[str, int, int, int]]:
        """Yield after each event: its kind, and the batches drawn, started and finished so far.

        The kind is "wait" for whatever opened a gate: waits for work that was done already do not count.
        """
        moments: list[tuple[str, int, int, int]] = []
        closed: Counter[str] = Counter()
        drawn, started = 0, set[str]()
        for place, event in enumerate(self.events):
            closed.subtract(event.opened)
            if event.kind == "epoch":
                drawn, started = 0, set()
            elif event.kind == "draw":
                drawn += 1
            elif event.kind in ("start", "part", "loss"):
                closed[event.label] += 1
            kind = "idle" if event.kind == "wait" else event.kind
            if place in self.counted:
                kind = "counted"
                started.add(event.label)
            finished = sum(closed[batch] <= 0 for batch in started)
            moments.append(("wait" if event.opened else kind, drawn, len(started), finished))
        return moments

    @property
    def most_in_flight(self) -> int:
        """The most batches that were started and unfinished at one time."""
        return max((started - finished for _, _, started, finished in self._moments), default=0)

    @property
    def most_held(self) -> int:
        """The most batches that were drawn and unfinished when a batch was drawn or started."""
        moments = (moment for moment in self._moments if moment[0] in ("draw", "counted"))
        return max((drawn - finished for _, drawn, _, finished in moments), default=0)

    @property
    def in_flight(self) -> list[int]:
        """Return how many batches were in flight when each one started, including itself."""
        return [started - finished for kind, _, started, finished in self._moments if kind == "counted"]

    @property
    def waits_in_batches(self) -> list[int]:
        """Return the number of waits for unfinished work between each batch's start and the next.

        The parts of a batch may each be waited for: their waits count as one.  The end of the last batch is left out.
        """
        waits, parts, updates = [0], [1], set[str]()
        for place, event in enumerate(self.events):
            if place in self.counted:
                waits.append(0)
                parts.append(1)
            parts[-1] += event.kind == "part"
            # Each weight of an update has a gate; together they are one piece of work.
            new = [label for label in event.opened if label.startswith("batch") or label not in updates]
            updates.update(event.opened)
            waits[-1] += bool(new)
        return [max(1, count - part + 1) if count else 0 for count, part in zip(waits, parts, strict=True)][1:-1]

    @property
    def started_before_first_wait(self) -> int:
        """Return the number of batches started before the first wait for unfinished work."""
        count = 0
        for kind, _, started, _ in self._moments:
            if kind == "wait":
                break
            count = started
        return count

    @property
    def pace(self) -> Message:
        """Return the student's text on the first wait."""
        return message(
            "Your loop began {began} of {batches} batches before it first waited or returned. The first wait: "
            "{first_wait}.",
            began=self.started_before_first_wait,
            batches=self.batches,
            first_wait=first_wait(self.events),
        )

    @property
    def leftovers(self) -> Message:
        """Return the student's text on the end."""
        if not self.started_before_first_wait:
            return message("No batch was started before the first wait.")
        last = list(dict.fromkeys(map(str, self.unfinished)))[-3:]
        labels = [
            message("batch {number}", number=label[6:]) if label.startswith("batch ") else label for label in last
        ]
        return message("Unfinished when your function returned: {labels}.", labels=joined(labels, commas=True))

    def check_one_pass(self) -> None:
        """Fail unless the data were read exactly once."""
        with saw("Calls of data_iter(): {calls}.", calls=self.calls):
            assert self.calls == 1

    def check_data_stay(self) -> None:
        """Fail unless the batches hold the numbers that data_iter gave."""
        with saw("Calls of data_iter(): {calls}.", calls=self.calls):
            assert self.calls
        with saw("Your function changed {changed} arrays of data_iter().", changed=self.changed):
            assert not self.changed

    def check_weights(self) -> None:
        """Fail unless the weights equal those of a right epoch."""
        for seen, right in zip(self.weights, self.right_weights, strict=True):
            np.testing.assert_allclose(seen, right, rtol=1e-3, atol=1e-4)


@pytest.fixture(scope="module")
def train(student: Student) -> Callable[..., Epoch]:
    """``train(function, batches, *arguments)``: one epoch with fresh weights and batches; the same call runs once.

    held: how many batches are held, the first ones.  All later work needs theirs.
    """
    epochs: dict[tuple[Any, ...], Epoch] = {}

    def run(function: str, batches: int, *arguments: Any, held: int = HELD) -> Epoch:
        key = (function, batches, arguments)
        if key not in epochs:
            epochs[key] = train_epoch(student, function, batches, arguments, held)
        return epochs[key]

    return run


def train_epoch(student: Student, function: str, count: int, arguments: Sequence[Any], held: int) -> Epoch:
    """Run one epoch of the student's training function with fresh weights and batches: an Epoch."""
    rng = np.random.default_rng()
    features, hidden = rng.integers(3, 6, size=2)
    # No other batch has the size of the first, so code that uses this size for all gets every update wrong.
    sizes = [8, *map(int, rng.integers(4, 8, size=count - 2)), 3]
    if count > 4:
        sizes[2] = int(rng.integers(101, 107))
    # Consecutive attempts have different factors, and all factors are far from 1.
    factors = [float(factor) for factor in rng.permutation(np.linspace(0.5, 0.8, 8)) + rng.uniform(-0.01, 0.01)]

    def draw(size: int) -> Batch:
        return rng.normal(size=(size, features)).astype(np.float32), rng.normal(size=size).astype(np.float32)

    drawn: tuple[list[Batch], Weights, float] | None = None
    while drawn is None:
        weights = [rng.normal(size=shape) for shape in [(hidden, features), (hidden,), (1, hidden), (1,)]]
        weights = [values.astype(np.float32) for values in weights]
        used = [factor_of(factors, number) for number in range(count)]
        drawn = drawn_epoch(weights, [partial(draw, size) for size in sizes], RECIPE, used)
    batches, right_weights, loss = drawn
    seen = student.observe(
        "training",
        function=function,
        weights=weights,
        batches=batches,
        loss=RECIPE.loss,
        options=dict(RECIPE.options),
        factors=factors,
        held=held,
        arguments=list(arguments),
    )
    trained = trained_attempts(seen["events"], seen["updates"], batches, factors)
    attempts = [number for number, _ in trained]
    if attempts != list(range(count)):
        # Some attempts were only looks, or updates are missing: the right loss depends on which attempts were trained.
        used = [1.0 if number is None else factor_of(factors, number) for number in attempts[:count]]
        found = right_epoch(weights, batches, RECIPE, used + [1.0] * (count - len(used)), strict=False)
        right_weights, loss = found or (right_weights, loss)
    return Epoch(
        batches=count,
        calls=seen["data_iter_calls"],
        changed=sum(
            not np.array_equal(now, before)
            for pair, given in zip(seen["batches"], batches, strict=True)
            for now, before in zip(pair, given, strict=True)
        ),
        returned=seen["returned"],
        unfinished=seen["unfinished"],
        events=seen["events"],
        counted=frozenset(place for _, place in trained if place is not None),
        weights=seen["weights"],
        right_weights=right_weights,
        loss=loss,
    )


def factor_of(factors: Sequence[float], number: int) -> float:
    """Return the factor for the gradients of an attempt."""
    return factors[number % len(factors)]


def trained_attempts(
    events: Sequence[Any], updates: Sequence[Any], batches: Sequence[Batch], factors: Sequence[float]
) -> list[tuple[int | None, int | None]]:
    """For each update the number of the attempt that it follows, and the place of its start in the log; or None, None.

    Only attempts since the previous update count, because earlier ones used other weights.  If there are several, the
    one whose gradients the update used counts.  A single attempt also counts, unless the training bypasses the network
    and the attempts are only for show; then no attempt has a factor of 1.
    """
    rounds: list[tuple[list[tuple[int, int, str]], Any, Any]] = []
    candidates: list[tuple[int, int, str]] = []
    attempts = 0
    for place, event in enumerate(events):
        if event.kind == "start":
            candidates.append((attempts, place, event.label))
            attempts += 1
        elif event.kind == "update":
            weights, gradients = updates[len(rounds)] if len(rounds) < len(updates) else (None, None)
            rounds.append((candidates, weights, gradients))
            candidates = []
    # A mistake, such as twice the loss, can also lead to such a factor, but not in most batches.
    around = [
        any(follows(gradients, weights, batches, name, 1.0) for _, _, name in candidates)
        for candidates, weights, gradients in rounds
    ]
    found: list[tuple[int | None, int | None]] = []
    for candidates, weights, gradients in rounds:
        if len(candidates) > 1 or sum(around) > len(rounds) / 2:
            candidates = [
                (number, start, name)
                for number, start, name in candidates
                if follows(gradients, weights, batches, name, factor_of(factors, number))
            ]
        found.append(candidates[-1][:2] if candidates else (None, None))
    return found


def follows(gradients: Weights | None, weights: Weights, batches: Sequence[Batch], name: str, factor: float) -> bool:
    """Whether these are the gradients of this batch, times the factor."""
    number = int(name.split()[1])
    if gradients is None or number >= len(batches):
        return False
    X, y = batches[number]
    _, right, _ = right_pass(weights, X, y, RECIPE.loss)
    factor *= len(X)  # autograd gives a sum, and this is a mean
    return all(
        np.linalg.norm(seen - factor * values) <= 1e-2 * np.linalg.norm(factor * values) + 1e-5
        for seen, values in zip(gradients, right, strict=True)
    )

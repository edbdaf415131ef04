"""One epoch of the student's training on the device, as the graders of the three training loops see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from syncpoint.graders import Message, ReplayedCall, array, message, saw
from syncpoint.graders.device_log import NEVER, UPLOAD, DeviceLog, Operation
from syncpoint.graders.reference import MARGIN, PLAIN, Recipe, drawn_epoch, right_epoch
from syncpoint.graders.unchanged import check_containers_stay

FEATURES, HIDDEN = 4, 5
# Of the batches of a long epoch.  Some of one size are 1, 2, ... 9 batches apart: a pinned buffer that is filled too
# early holds the wrong numbers.  One is large.
SIZES = 8, 7, 7, 260, 7, 1, 7, 7, 5, 7, 7, 3
LONG = (2, 1) * 53  # more batches than people print the loss of
HELD = (2, 1) * 26  # as many as may be held with a network of one layer
MIXED = 4, 1, 1, 3  # of an epoch in which a batch costs nothing
SMALL = 0.003  # weights and labels: the losses are far below 1
W1, B1 = 1, 2  # their numbers in the log: weights and biases, layer after layer, are the first arguments


@dataclass(frozen=True)
class Data:
    """Drawn weights and batches, and the right result of an epoch.

    rows: the batches as the scenario gets them, one in each row: X, then y, then what fills it up.
    """

    weights: list[np.ndarray]
    rows: np.ndarray
    batches: list[tuple[np.ndarray, np.ndarray]]
    right_weights: list[np.ndarray]
    loss: float

    @classmethod
    def drawn(cls, rng, sizes: Sequence[int], recipe: Recipe, scale: float) -> Data:
        """Batches of these sizes, for which rounding changes little; with whole labels, one of them has a loss of 0.

        scale: of the weights and the labels.
        """
        whole = recipe == MARGIN
        while True:
            weights = [scale * one for one in draw_weights(rng)]
            draws = [lambda size=size: draw_batches(rng, [size], scale, whole)[0] for size in sizes]
            drawn = drawn_epoch(weights, draws, recipe)
            if drawn is not None and (not whole or _rests(weights, drawn[0])):
                return cls._of(weights, *drawn)

    @classmethod
    def of_one_layer(cls, rng, sizes: Sequence[int]) -> Data:
        """Data for a network of one layer, without the right result of an epoch."""
        weights = [rng.normal(size=shape).astype(np.float32) for shape in ((1, FEATURES), (1,))]
        return cls._of(weights, draw_batches(rng, sizes), weights, np.nan)

    @classmethod
    def _of(cls, weights, batches, right_weights, loss) -> Data:
        sizes = [len(y) for _, y in batches]
        rows = np.zeros((len(sizes), max(sizes) * (FEATURES + 1)), np.float32)
        for row, (X, y) in zip(rows, batches, strict=True):
            row[: X.size + y.size] = np.concatenate([X.ravel(), y])
        return cls(weights, rows, batches, right_weights, loss)

    def check_weights(self, seen) -> None:
        """Fail unless the weights that the scenario reports are right."""
        for one, right in zip(seen["weights"], self.right_weights, strict=True):
            np.testing.assert_allclose(one.values, right, rtol=1e-3, atol=1e-4)

    def check_loss(self, seen) -> None:
        """Fail unless the sum of the mean losses is right, if there is a number."""
        if seen["returned"] is not None:
            np.testing.assert_allclose(float(seen["returned"]), self.loss, rtol=1e-3)


@dataclass(frozen=True)
class Epoch:
    """What one epoch did, and the right result for the same weights and batches.

    calls: of data_iter.  changed: how many of the tensors that it gave hold other numbers afterwards.
    containers_changed: how many groups of the optimizer's parameters have other options afterwards.

    A *pass* is a forward pass.  Biases are read in forward passes alone: what reads the first begins one, what reads
    the last ends one; after that is the loss.  A batch is trained by the passes that an update follows from; others
    are only looks.
    """

    batches: int
    calls: int
    changed: int
    containers_changed: int
    returned: Any
    log: DeviceLog
    weights: list[Any]
    right: Data
    again: ReplayedCall
    right_again: Data

    @cached_property
    def trained(self) -> list[tuple[Operation, Operation]]:
        """As `trained`."""
        return trained(self.log, self._parameters)

    @property
    def _parameters(self) -> int:
        return len(self.right.weights)

    def finished(self, place: int) -> int:
        """How many trained batches the host had waited for at a place of the log."""
        return sum(end.covered < place for _, end in self.trained)

    @cached_property
    def in_flight(self) -> list[int]:
        """How many batches were in flight as each one began, itself among them."""
        return [number + 1 - min(self.finished(begin.place), number) for number, (begin, _) in enumerate(self.trained)]

    @cached_property
    def drawn(self) -> dict[int, int]:
        """The place in the log where each batch was drawn, from 0; of several passes over the data the last one counts.

        Who has looked more often than there were passes has known a batch since the first time.
        """
        looks = self.log.looks(self._parameters + 1)  # its rows are looked at as they are drawn
        return {number: places[-(len(places) <= self.calls)] for number, places in looks.items()}

    @property
    def most_held(self) -> int:
        """The most batches that were drawn and not waited for, as a batch was drawn, itself not among them."""
        held = [number - min(self.finished(place), number) for number, place in self.drawn.items()]
        return max(held, default=0)

    @cached_property
    def waits(self) -> list[int]:
        """The places of the waits from the first batch on; what comes before it is no part of the loop."""
        first = min(self.drawn.values(), default=0)
        return [place for place in self.log.waits if place > first]

    @cached_property
    def begun(self) -> list[Operation]:
        """The operations that begin a pass from which any update follows."""
        needed = self.log.ancestors(self.log.writers(W1), frozenset(range(1, self._parameters + 1)))
        return [one for one in self.log.readers(B1) if B1 not in one.outputs and one in needed]

    @property
    def began_before_first_wait(self) -> int:
        """How many passes from which an update follows began before the loop first waited."""
        first = min(self.waits, default=NEVER)
        return sum(begin.place < first for begin in self.begun)

    def check_runs_ahead(self) -> None:
        """Fail unless all batches began before the first wait; whether each has an update is for another test."""
        with saw(self.pace, self.log.events):
            assert self.began_before_first_wait == len(self.begun) >= self.batches - 1

    @property
    def is_done(self) -> bool:
        """Whether all updates were computed at the return."""
        parameters = range(W1, W1 + self._parameters)
        updates = [update for array_number in parameters for update in self.log.writers(array_number)]
        return bool(updates) and all(update.covered < NEVER for update in updates)

    # --- what the student may read --------------------------------------------------------------------------------

    @property
    def flight(self) -> Message:
        """How many were in flight."""
        in_flight = ", ".join(map(str, self.in_flight)) or message("nothing")
        return message(
            "Batches in flight each time a batch began, including this batch: {in_flight}.", in_flight=in_flight
        )

    @property
    def pace(self) -> Message:
        """Where it first waited."""
        return message(
            "Your loop began {began} of {batches} batches before it first waited or returned. The first wait: "
            "{first_wait}.",
            began=self.began_before_first_wait,
            batches=self.batches,
            first_wait=self.log.word_of(self.waits),
        )

    # --- checks of all three --------------------------------------------------------------------------------------

    def check_done(self, name: str) -> None:
        """Fail unless everything was computed when the function returned."""
        if self.trained:
            text = message("When {name} returned, updates of the weights were still in the queue.", name=name)
        else:
            text = message("No batch was trained.")
        with saw(text, self.log.events, missing_wait=True):
            assert self.is_done

    def check_copies(self) -> None:
        """Fail unless the copies of batches to the device make the host wait for nothing."""
        last = self.trained[-1][0].place if self.trained else NEVER
        waits = [self.log.events[place].label for place in self.waits if place < last]
        copies = [label for label in waits if label.startswith("copy")]
        with saw("No batch was trained."):
            assert self.trained
        with saw("Copies to the device that made your loop wait: {count}.", self.log.events, count=len(copies)):
            assert not copies

    def check_weights(self) -> None:
        """Fail unless the weights are those of a right epoch."""
        wrong = message(
            "Batches that were trained: {count} of {batches}.", count=len(self.trained), batches=self.batches
        )
        if len(self.trained) == self.batches:
            wrong = message("Every batch was trained, but the weights after the epoch are wrong.")
        with saw(wrong):
            self.right.check_weights({"weights": self.weights})
        self.again.check(self.right_again.check_weights)

    def check_made_by_the_device(self) -> None:
        """Fail if the weights are right, but were not computed by the device in this call."""
        now = {"weights": self.weights}
        self.again.confirm(lambda: self.right.check_weights(now), self.right_again.check_weights)

    def check_loss(self) -> None:
        """Fail unless the sum of the mean losses was returned."""
        self.right.check_loss({"returned": self.returned})
        self.again.check(self.right_again.check_loss)

    def check_one_pass(self) -> None:
        """Fail unless the data were read exactly once."""
        with saw("Calls of data_iter(): {calls}.", calls=self.calls):
            assert self.calls == 1

    def check_data_stay(self) -> None:
        """Fail unless the batches hold the numbers that data_iter gave."""
        with saw("No batch was trained."):
            assert self.trained
        with saw("Your function changed {changed} tensors of data_iter().", changed=self.changed):
            assert not self.changed
        check_containers_stay(self.containers_changed)


def trained(log: DeviceLog, parameters: int = 4) -> list[tuple[Operation, Operation]]:
    """For each batch that was trained: the operation that begins its first pass, and the loss of its last.

    parameters: how many weights and biases there are; the last one has the number of them all.
    """
    found, claimed = [], set()
    stop = frozenset(range(W1, W1 + parameters))
    begins = {one for one in log.readers(B1) if B1 not in one.outputs}
    ends = {one for one in log.readers(parameters) if parameters not in one.outputs}
    for update in log.writers(W1):
        needed = log.ancestors([update], stop, claimed)
        claimed |= needed
        if needed & begins and needed & ends:
            found.append((min(needed & begins, key=_place), _loss(log, needed, max(needed & ends, key=_place))))
    return found


def _loss(log: DeviceLog, needed: set[Operation], end: Operation) -> Operation:
    """What first needs both the end of a forward pass and another copy from the host, the labels; else that end."""
    labels = {one for one in needed if one.label == UPLOAD} - log.ancestors([end])
    labelled, predicted = ({array for one in some for array in one.outputs} for some in (labels, [end]))
    for one in sorted(needed - {end, *labels}, key=_place):
        if one.inputs & predicted and one.inputs & labelled:
            return one
        for arrays in (labelled, predicted):
            arrays |= one.outputs if one.inputs & arrays else frozenset()
    return end


def train_epoch(
    student,
    function: str,
    sizes: Sequence[int],
    arguments: Sequence[Any],
    recipe: Recipe = PLAIN,
    pinned: bool = False,
    held: bool = True,
    again: bool = False,
    aged: bool = True,
    one_layer: bool = False,
    aside: bool = False,
    scale: float = 1.0,
    at_once: bool = False,
) -> Epoch:
    """Run one epoch of the student's training function on batches of these sizes, with fresh weights and values.

    pinned: whether the batches are.  held: whether every operation is, until it is waited for; no more than 1,000 can
    be.  again: whether the device runs it once more, with other weights and batches.  aged: whether the parameters have
    older gradients.  one_layer: whether the network has one alone, for which nobody asks what is right.  aside: whether
    the current stream is not the default one.  scale: of weights and labels.  at_once: whether all batches are drawn
    with one look, for tests that do not ask where in the log each one was drawn: a look for each takes longer.
    """
    rng = np.random.default_rng()

    def drawn():
        return Data.of_one_layer(rng, sizes) if one_layer else Data.drawn(rng, sizes, recipe, scale)

    data = drawn()
    seen = (student.results_gated if held else student).observe(
        "training",
        function=function,
        weights=[array(values, device=1) for values in data.weights],
        batches=array(data.rows.reshape(1, -1) if at_once else data.rows, device=1, look=True),
        sizes=list(sizes),
        **recipe.parameters,
        pinned=pinned,
        aged=aged,
        aside=aside,
        arguments=list(arguments),
    )
    other = drawn() if again else data
    values = dict(enumerate(other.weights, W1))
    pairs = [pair for old, new in zip(data.batches, other.batches, strict=True) for pair in zip(old, new, strict=True)]
    return Epoch(
        batches=len(data.batches),
        calls=seen["data_iter_calls"],
        changed=seen["changed"],
        containers_changed=seen["containers_changed"],
        returned=seen["returned"],
        log=DeviceLog.of(seen),
        weights=seen["weights"],
        right=data,
        again=student.replay(seen, values, host=pairs) if again else ReplayedCall(None),
        right_again=other,
    )


def draw_batches(
    rng, sizes: Sequence[int], scale: float = 1.0, whole: bool = False
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Batches of these sizes.  scale: of the labels, which are whole numbers or not."""
    batches = [(rng.normal(size=(n, FEATURES)), rng.integers(-3, 4, n) if whole else rng.normal(size=n)) for n in sizes]
    return [(X.astype(np.float32), (scale * y).astype(np.float32)) for X, y in batches]


def _rests(weights: list[np.ndarray], batches: list[tuple[np.ndarray, np.ndarray]]) -> bool:
    """Whether one of these batches has a loss of 0, while the batches before it still change the weights."""
    totals = [right_epoch(weights, batches[:count], MARGIN, strict=False)[1] for count in range(1, len(batches) + 1)]
    return totals[0] > 0 and len(set(totals)) < len(totals)


def draw_weights(rng) -> list[np.ndarray]:
    """Weights and biases of two layers."""
    shapes = (HIDDEN, FEATURES), (HIDDEN,), (1, HIDDEN), (1,)
    return [rng.normal(size=shape).astype(np.float32) for shape in shapes]


def _place(operation: Operation) -> int:
    return operation.place

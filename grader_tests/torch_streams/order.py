"""The log of one call, in which the inputs and the results of the scenarios of this assignment have names.

See scenarios.py: each input is made of one of the judge's arrays by one operation, and each result is read by
one after the call.  So the log itself says where they are, even if other code has left marks in it.
"""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from syncpoint.graders import message, saw
from syncpoint.graders.device_log import COPYING, LOOK, NEVER, DeviceLog

MOST_LEFT = 6  # matrices: those of one call, for a solution that checks only in the next call what is done
REUSE, BESIDE = "memory allocated again under ", "beside "  # how races begin
MANY, TIMES = 105, 12  # inputs of a call, more than people print something of; calls with one input
INPUTS = MANY + TIMES + 1  # in all, in the scenario that counts what is left behind
FINISHED = 4  # waits of the scenario that counts what is left behind


@dataclass(frozen=True)
class Order(DeviceLog):
    """A log in which inputs and results have names.

    names: of the judge's arrays, whose numbers are 1, 2, ...  reads: the numbers of what the scenario has read from
    each result, None for what is no array on the device.  later: those of what it has made after each call.
    """

    names: list[str] = field(default_factory=list)
    reads: list[int | None] = field(default_factory=list)
    later: list[int | None] = field(default_factory=list)

    @cached_property
    def end(self):
        """Where the caller reads what was returned."""
        behind = (one.place for array in self.reads for one in self.writers(array))
        return min(behind, default=len(self.events))

    def input(self, name):
        """The operation that has made one of the student's inputs."""
        readers = self.readers(self.names.index(name) + 1)
        with saw("Your code has read a tensor from which its inputs were made."):
            assert len(readers) == 1
        return readers[0]

    def uses(self, name):
        """What the student's code has enqueued that needs this input, in order; copies of numbers left out."""
        made = self.input(name)
        own = [one for one in self.between(made.place, self.end) if made in self.ancestors([one])]
        return [one for one in own if one.label not in COPYING]

    def result(self, number):
        """The operation that wrote the result of this number, or None."""
        use = self._use(number)
        writers = [one for one in self.operations if use and one.place < use.place and one.outputs & use.inputs]
        return writers[-1] if writers else None

    def _use(self, number):
        """The operation by which the caller has read a result, or None."""
        writers = self.writers(self.reads[number])
        return writers[-1] if writers else None

    @cached_property
    def looked(self):
        """The looks of the scenario, in order: where in the array, and where in the log."""
        return [(int(event.label), place) for place, event in enumerate(self.events) if event.kind == LOOK]

    def fixed_pairs(self, some, others):
        """How many pairs of an operation of the one group and one of the other have a fixed order."""
        return sum(not self.beside(one, other) for one in some for other in others)

    def check_inputs_stay(self):
        """Fail if the student's code writes to an input."""
        made = list(map(self.input, self.names))
        written = sum(bool(one.outputs & own.outputs) for own in made for one in self.between(own.place, NEVER))
        with saw("Operations in your function that write to its inputs: {written}.", self.events, written=written):
            assert not written

    def check_no_wait(self, callers=()):
        """Fail if the host waited elsewhere than at these places of the log, where the caller has it wait."""
        waits = [place for place in self.waits if place not in callers]
        with saw(
            "Waits of the host in your function: {count}, the first one by {first}.",
            self.events,
            count=len(waits),
            first=self.word_of(waits),
        ):
            assert not waits

    def check_no_wait_in_many(self):
        """Fail if the host waited in the calls of the scenario that counts what is left behind."""
        count = len(self.waits) - FINISHED
        with saw(
            "Waits of the host in further calls, first with many inputs and then with one: {count}.",
            self.events,
            count=count,
        ):
            assert not count

    def check_no_race(self):
        """Fail if two operations use the same memory and nothing orders them, the caller's own included."""
        self._check(self.races)

    def check_no_early_use(self):
        """Fail if two operations use one tensor and nothing orders them, and one writes it."""
        self._check([place for place in self.races if not self.events[place].label.startswith(REUSE)])

    def check_no_reuse(self):
        """Fail if memory is allocated again while an operation may still use it."""
        self._check([place for place in self.races if self.events[place].label.startswith(REUSE)])

    def _check(self, found):
        with saw(self._report(found) if found else message(""), self.events, True):
            assert not found, [self.events[place] for place in found]

    def _report(self, found):
        event, count = self.events[found[0]], len(found)
        kind = REUSE if event.label.startswith(REUSE) else BESIDE
        first = self._whose(event.label.removeprefix(kind), event.line)
        if kind == REUSE:
            return message(
                "Races: {count}. The first one: memory was allocated again while {first} may still use it.",
                count=count,
                first=first,
            )
        later = self.raced(found[0])
        return message(
            "Races: {count}. The first one: {later} and {first} use one tensor without a fixed order.",
            count=count,
            later=self._whose(
                later.label, 0 if found[0] >= self.end or {*later.outputs} & {*self.later} else later.line
            ),
            first=first,
        )

    def _whose(self, operation, line):
        """One of the student's operations, with its line, or one of the caller's, which has none."""
        if line:
            return message("your {operation} in line {line}", operation=operation, line=line)
        return message("the caller's {operation}", operation=operation)


def check_close(found, right):
    """Fail unless an array holds the right numbers, as exact as what is computed in its type."""
    close = 1e-3 if np.asarray(found).dtype == np.float32 else 1e-9
    np.testing.assert_allclose(found, right, rtol=close, atol=close)


def check_given_back(left):
    """Fail if too many matrices are left behind when the work is done and the results are gone."""
    with saw("Matrices still in memory when the work was done and the results were gone: {left:.0f}.", left=left):
        assert left <= MOST_LEFT

"""The log of one call with the words of the scenarios of this assignment: inputs, results, and what the caller does.

See probes/torch_streams.py for the marks that divide it.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from device_log import COPYING, DeviceLog

from syncpoint.graders import saw

REUSE = "memory given out again"  # how such a race begins


@dataclass(frozen=True)
class Order(DeviceLog):
    """A log in which inputs and results have names.

    word: what the scenario's marks begin with.
    """

    word: str = ""

    @cached_property
    def end(self):
        """Where the student's function had returned."""
        return max(self.places("returned"), default=len(self.events))

    def places(self, kind):
        """The places of all marks of a kind; fails if one of them stands there twice."""
        found = [place for place, label in self._marks(kind)]
        with saw("The log has marks that your code has left."):
            assert max(Counter(label for _, label in self._marks(kind)).values(), default=1) == 1
        return found

    def _marks(self, kind):
        marks = [(place, event.label.split(" ")) for place, event in enumerate(self.events) if event.kind == kind]
        return [(place, label[1]) for place, label in marks if len(label) == 2 and label[0] == self.word]

    def behind_mark(self, kind, label):
        """The operation behind the first mark of this kind and label, or None."""
        places = [place for place in self.places(kind) if self.events[place].label == f"{self.word} {label}"]
        return next((one for one in self.operations if places and one.place > places[0]), None)

    def input(self, name):
        """The operation that has made an input of the student's."""
        return self.behind_mark("input", name)

    def uses(self, name):
        """What the student's code has enqueued that needs this input, in order; copies of numbers left out."""
        made = self.input(name)
        own = [one for one in self.between(made.place, self.end) if made in self.ancestors([one])]
        return [one for one in own if one.label not in COPYING]

    def result(self, number):
        """The operation that wrote the result of this number, or None."""
        use = self.behind_mark("result", str(number))
        writers = [one for one in self.operations if use and one.place < use.place and one.outputs & use.inputs]
        return writers[-1] if writers else None

    def fixed_pairs(self, some, others):
        """How many pairs of an operation of the one group and one of the other have a fixed order."""
        return sum(not self.beside(one, other) for one in some for other in others)

    def check_inputs_stay(self):
        """Fail if the student's code writes where an input lies."""
        made = [self.input(name) for _, name in self._marks("input")]
        written = sum(bool(one.outputs & own.outputs) for own in made for one in self.between(own.place, self.end))
        with saw(f"Operations in your function that write to its inputs: {written}.", self.events):
            assert not written

    def check_no_wait(self, until=None):
        """Fail if the host waited before the function returned."""
        waits = [self.events[place] for place in self.waits if place < (self.end if until is None else until)]
        first = waits[0].label if waits else ""
        with saw(f"Waits of the host in your function: {len(waits)}, the first one by {first}.", self.events):
            assert not waits

    def check_no_race(self):
        """Fail if two operations use the same memory in no fixed order, the caller's own behind the call among them."""
        self._check(self.races)

    def check_no_early_use(self):
        """Fail if two operations use one tensor in no fixed order, and one writes it."""
        self._check([place for place in self.races if not self.events[place].label.startswith(REUSE)])

    def check_no_reuse(self):
        """Fail if memory is given out again while an operation may still use it."""
        self._check([place for place in self.races if self.events[place].label.startswith(REUSE)])

    def _check(self, found):
        with saw(self._told(found) if found else "", self.events, True):
            assert not found, [self.events[place] for place in found]

    def _told(self, found):
        label = self.events[found[0]].label
        where = "in your function" if found[0] < self.end else "where your caller goes on"
        if label.startswith(REUSE):
            return f"Races: {len(found)}. The first one, {where}: {label}, which may still use it."
        return f"Races: {len(found)}. The first one, {where}: an operation {label} on one tensor, in no fixed order."

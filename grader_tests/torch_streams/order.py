"""What runs before what, and what follows from what: read from the log of one call on one device.

Two operations are ordered if one stands behind the other in a stream, behind an event that its stream has waited for,
or behind a wait of the host's.  All else is beside each other, whatever ran first.
"""

from syncpoint.graders import saw

# Operations that hand on numbers and compute none: a student may make a copy of an input before the work begins.
COPYING = {"clone", "copy_", "_to_copy", "contiguous"}
COMMANDS = ("enqueue", "record", "follow")


def _join(one, other):
    return {queue: max(one.get(queue, -1), other.get(queue, -1)) for queue in {**one, **other}}


class Order:
    """The log of one call, made while everything was held until it was waited for.

    Events are spoken of by their place in the log.

    Attributes:
        events: The log.
        end: Where the student's function had returned.
    """

    def __init__(self, events):
        self.events = list(events)
        marks = [place for place, event in enumerate(self.events) if event.kind == "returned"]
        self.end = marks[-1] if marks else len(self.events)
        self._clocks = {}
        self._parents = {}
        self._labels = {}
        self._read()

    def _read(self):
        host, queues, tickets, writers, operations = {}, {}, {}, {}, 0
        for place, event in enumerate(self.events):
            if event.kind in COMMANDS:
                clock = _join(host, queues.get(event.queue, {}))
                if event.kind == "follow":
                    clock = _join(clock, tickets.get(event.inputs, {}))
                clock[event.queue] = place
                queues[event.queue] = self._clocks[place] = clock
            if event.kind == "record":
                tickets[event.outputs] = clock
            elif event.kind == "enqueue":
                operations += 1
                self._labels[f"{event.label} {operations}"] = place
                self._parents[place] = {writers[a] for a in (*event.inputs, *event.outputs) if a in writers}
                writers.update(dict.fromkeys(event.outputs, place))
            elif event.kind == "wait":
                for label in event.opened:
                    host = _join(host, self._clocks.get(self._labels.get(label), {}))

    # --- which operations ---------------------------------------------------------------------------------------

    def after_mark(self, kind, label):
        """The operation behind the first mark of this kind and label, or None."""
        for place, event in enumerate(self.events):
            if event.kind == kind and event.label == label:
                return next((p for p in range(place, len(self.events)) if self.events[p].kind == "enqueue"), None)
        return None

    def marks(self, kind):
        """The places of all marks of a kind."""
        return [place for place, event in enumerate(self.events) if event.kind == kind]

    def operations(self, since=0, until=None):
        """The operations in a part of the log, by default all that was enqueued until the return."""
        until = self.end if until is None else until
        return [place for place in range(since, until) if self.events[place].kind == "enqueue"]

    def of(self, name):
        """What the student's code has enqueued that needs this input, in order, copies of the input itself left out."""
        source = self.after_mark("input", name)
        found = [p for p in self.operations(source + 1) if source in self.ancestors(p)]
        return [p for p in found if self.events[p].label not in COPYING]

    def readers(self, name, among):
        """Those of ``among`` that read this input itself."""
        (array,) = self.events[self.after_mark("input", name)].outputs
        return [p for p in among if array in self.events[p].inputs]

    def behind(self, number):
        """The last operation that has written the result of this number, and the caller's own, which reads it."""
        use = self.after_mark("result", str(number))
        if use is None:
            return None, None
        read = self.events[use].inputs
        writers = [p for p in self.operations(until=use) if set(self.events[p].outputs) & set(read)]
        return (writers[-1] if writers else None), use

    def ancestors(self, place):
        """The operations whose results this one needs, directly or through others."""
        found, left = set(), [place]
        while left:
            for parent in self._parents.get(left.pop(), ()):
                if parent not in found:
                    found.add(parent)
                    left.append(parent)
        return found

    # --- in which order -----------------------------------------------------------------------------------------

    def before(self, first, second):
        """Whether the one is over when the other begins, whatever the speed."""
        return self._clocks[second].get(self.events[first].queue, -1) >= first != second

    def beside(self, one, other):
        """Whether nothing orders them."""
        return one != other and not self.before(one, other) and not self.before(other, one)

    def all_beside(self, some, others):
        """Whether each of the one group is beside each of the other."""
        return all(self.beside(one, other) for one in some for other in others)

    def covered(self, operation, place):
        """Whether the host had waited for an operation when the log had come to this place."""
        opened = {label for event in self.events[:place] if event.kind == "wait" for label in event.opened}
        return any(self._labels.get(label) == operation for label in opened)

    # --- what every exercise asks -------------------------------------------------------------------------------

    def check_no_wait(self):
        """Fail if the host waited before the function returned."""
        waits = [event for event in self.events[: self.end] if event.kind == "wait"]
        first = waits[0].label if waits else ""
        with saw(f"Waits of the host in your function: {len(waits)}, the first one is {first}.", self.events):
            assert not waits

    def check_no_race(self):
        """Fail if two operations use the same memory in no fixed order, the caller's own behind the call among them."""
        races = [(place, event) for place, event in enumerate(self.events) if event.kind == "race"]
        with saw(_told(races, self.end) if races else ""):
            assert not races, races


def _told(races, end):
    place, event = races[0]
    said = f"Races in the log: {len(races)}. The first one: "
    if event.label.startswith("memory given out again"):
        return f"{said}{event.label}, which may still use it."
    where = "in your function" if place < end else "when the caller uses what you returned"
    return f"{said}an operation {event.label}, {where}; both use one tensor, and nothing says which comes first."

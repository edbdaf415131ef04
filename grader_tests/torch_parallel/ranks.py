"""The log of ranks that train: what each did in its backward pass, and what its updates follow from.

Rank r has device r + 1.  Nothing here needs a mark, which student code could leave as well: a step of a rank begins
where its examples are first read, its backward pass ends where they are read last, and then its parameters are updated.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

from devices import Devices
from passes import MLP, is_close

from syncpoint.graders import array, saw

COLLECTIVES = frozenset(
    {"all_reduce", "broadcast", "all_gather", "reduce_scatter", "reduce", "gather", "scatter", "all_to_all", "send"}
)
LR = 0.1


@dataclass(frozen=True)
class Ranks(Devices):
    """A log of ranks that train.

    inputs: of each step and rank the number of the examples.  weights: of each rank the numbers of its parameters.
    """

    inputs: list = field(default_factory=list)
    weights: list = field(default_factory=list)

    def passes(self, rank, step):
        """The two operations that read the examples of a rank in a step: forward, and for the first layer's gradient.

        Only the scenario has the examples, and reads them no more than that.
        """
        found = self.readers(self.inputs[step][rank])
        with saw("Operations that read the examples of a rank in one step: {count}.", count=len(found)):
            assert len(found) == 2
        return found

    def last_work(self, rank, step):
        """The last work of the backward pass: the gradient of the first layer, made from the examples."""
        return self.passes(rank, step)[1]

    def update(self, rank, step, weight):
        """The update of a parameter of this number in one step, or None: the first one after the backward pass."""
        last = self.last_work(rank, step).place
        return next((one for one in self.writers(self.weights[rank][weight]) if one.place > last), None)

    def collectives(self, rank, step):
        """The collectives of a rank in one step, until its parameters were updated."""
        updates = [self.update(rank, step, weight) for weight in range(len(self.weights[rank]))]
        begin, end = self.passes(rank, step)[0].place, min((one.place for one in updates if one), default=-1)
        return [one for one in self.on(rank + 1) if begin < one.place < end and one.label in COLLECTIVES]

    def averaging(self, rank, step, weight):
        """The collectives from which the update of a parameter of this number follows."""
        update = self.update(rank, step, weight)
        if update is None:
            return []
        earlier = self.ancestors([update], stop=frozenset(self.weights[rank]))
        mine = {one.place for one in self.collectives(rank, step)}
        return sorted((one for one in earlier if one.place in mine), key=lambda one: one.place)

    def at(self, place):
        """The operation at a place of the log."""
        return next(one for one in self.operations if one.place == place)

    @cached_property
    def each_alone(self):
        """The same log with a stream for each collective: only what waits for this one is ordered after it."""
        events, streams = list(self.events), {}
        for place, event in enumerate(events):
            streams.setdefault((event.reads, event.queue), []).append(place)
        for places in streams.values():
            for before, place, behind in zip(places, places[1:], places[2:], strict=False):
                if events[place].label in COLLECTIVES:
                    for one in (before, place, behind):
                        if one == place or events[one].kind == ("follow" if one < place else "record"):
                            events[one] = replace(events[one], queue=-place)
        return replace(self, events=tuple(events))

    def thread_of(self, event):
        """Each rank is a thread with a device of its own."""
        return max((*event.reads, *event.writes), default=0)

    def overlaps(self, collective, rank, step):
        """Whether a collective was enqueued before the last work of the backward pass, and may overlap it."""
        last = self.last_work(rank, step)
        return collective.place < last.place and self.beside(collective, last)


def trained(
    student,
    rng,
    function,
    arguments=(),
    size=2,
    steps=2,
    widths=(4, 5, 6, 2),
    frozen=(),
    again=True,
    dtype="float32",
    tied=False,
):
    """Let ranks train with the student's function, everything held until it is waited for.

    frozen: numbers of parameters that ask for no gradient.  again: whether the device runs it once more, which is the
    last thing that the test asks of the call.  dtype: of parameters and examples.  tied: whether the last layer is
    there twice, with the same parameters.  Returns a dict with "log", "right" (the parameters that should come out),
    "params" (of each rank), "net", and what the scenario reports.
    """
    net = MLP(rng, widths, tied)
    batches = _batches(rng, net, size, steps)
    found = student.results_gated.observe(
        "step_of_ranks",
        function=function,
        arguments=list(arguments),
        weights=[[array(one, rank + 1, dtype=dtype) for one in net.weights] for rank in range(size)],
        frozen=list(frozen),
        batches=[
            [[array(one, rank + 1, dtype=dtype) for one in step[rank]] for rank in range(size)] for step in batches
        ],
        lr=LR,
        tied=tied,
    )
    count = len(net.weights)
    params = [found["params"][rank * count : (rank + 1) * count] for rank in range(size)]
    inputs = [[found["inputs"][step * size + rank].number for rank in range(size)] for step in range(steps)]
    weights = [[one.number for one in mine] for mine in params]
    log = Ranks(found["events"], tuple(found["pending"]), inputs, weights)
    right = net.trained(batches, LR, frozen)
    found |= {"log": log, "right": right, "params": params, "net": net, "size": size, "steps": steps, "dtype": dtype}
    if not again:
        return found
    others = _batches(rng, net, size, steps)
    examples = [one for step in others for mine in step for one in mine]
    collectives = [one for one in log.operations if one.label in COLLECTIVES]
    values = dict(enumerate((one.astype(dtype) for one in examples), size * count + 1))
    through = partial(student.replay, found, values)
    right_again = net.trained(others, LR, frozen)
    return {**found, "through": through, "again": through(through=collectives), "right_again": right_again}


def _batches(rng, net, size, steps):
    """For each step and rank a batch."""
    return [[net.batch(rng, 4) for _ in range(size)] for _ in range(steps)]


def with_early(seen):
    """The same, with "early": what comes out if only collectives that overlap a backward pass give other results."""
    log, found = seen["log"], []
    with suppress(AssertionError):  # of ranks that have no such pass: that is for the tests
        for step in range(seen["steps"]):
            for rank in range(seen["size"]):
                found += [one for one in log.collectives(rank, step) if log.overlaps(one, rank, step)]
    return {**seen, "early": seen["through"](through=found) if found else seen["again"]}


def check_frozen(seen):
    """Fail if a frozen parameter had a gradient after finish()."""
    with saw("Gradients of frozen parameters after finish: {thawed}.", thawed=seen["thawed"]):
        assert not seen["thawed"]


def confirm_early(seen, numbers):
    """Fail if parameters of these numbers are right, but the overlap was for show: the averages came elsewhere."""
    right = seen["size"], seen["right_again"], numbers
    seen["early"].confirm(partial(check_parameters, seen), _check_parameters, *right)
    seen["again"].confirm(partial(_check_now, seen), _check_parameters, *right)


def check_parameters(seen):
    """Fail unless each rank has the parameters that averaged gradients give, all of which came by collectives."""
    _check_now(seen)
    seen["again"].check(_check_parameters, seen["size"], seen["right_again"], None, seen["dtype"])


def _check_now(seen):
    seen["log"].check_no_race()
    every = [one for mine in seen["params"] for one in mine]
    _check_parameters({"params": every}, seen["size"], seen["right"], None, seen["dtype"])


def _check_parameters(seen, size, right, numbers=None, dtype="float32"):
    """Fail unless the parameters of all ranks, one after the other, are right; numbers: of those that count."""
    count, wrong = len(right), 0
    for rank in range(size):
        mine = seen["params"][rank * count : (rank + 1) * count]
        wrong += not all(is_close(mine[number], right[number], dtype) for number in numbers or range(count))
    with saw(
        "Ranks that did not get the parameters that averaged gradients give: {wrong} of {size}.",
        wrong=wrong,
        size=size,
    ):
        assert not wrong

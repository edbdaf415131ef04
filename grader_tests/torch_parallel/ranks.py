"""The log of ranks that train: what each did in its backward pass, and what its updates follow from.

Rank r has device r + 1.  See probes/torch_parallel.py for the marks that divide the log.
"""

from dataclasses import dataclass, field

import numpy as np
from device_log import drawn
from devices import Devices
from passes import MLP

from syncpoint.graders import EngineArray, array, saw

COLLECTIVES = frozenset(
    {"all_reduce", "broadcast", "all_gather", "reduce_scatter", "reduce", "gather", "scatter", "all_to_all", "send"}
)
LR = 0.1


@dataclass(frozen=True)
class Ranks(Devices):
    """A log of ranks that train.

    word: what the marks begin with.  inputs: of each step and rank the number of the examples.  weights: of each rank
    the numbers of its parameters.
    """

    word: str = ""
    inputs: list = field(default_factory=list)
    weights: list = field(default_factory=list)

    def place(self, kind, rank, step):
        """The place of a mark; fails if there is not just one."""
        label = f"{self.word} {rank} {step}"
        found = [place for place, event in enumerate(self.events) if event.kind == kind and event.label == label]
        with saw("The log has marks that your code has left, or a rank did not come to its end."):
            assert len(found) == 1
        return found[0]

    def collectives(self, rank, step):
        """The collectives of a rank in one step, until `finish` had returned."""
        begin, end = self.place("begin", rank, step), self.place("finished", rank, step)
        return [one for one in self.on(rank + 1) if begin < one.place < end and one.label in COLLECTIVES]

    def last_work(self, rank, step):
        """The last work of the backward pass: the gradient of the first layer, made from the examples."""
        begin, end = self.place("backward", rank, step), self.place("returned", rank, step)
        mine = [one for one in self.readers(self.inputs[step][rank]) if begin < one.place < end]
        with saw("A backward pass did not compute the gradient of the first layer from the examples."):
            assert mine
        return mine[-1]

    def averaging(self, rank, step, weight):
        """The collectives from which the update of a parameter of this number follows."""
        finished = self.place("finished", rank, step)
        array = self.weights[rank][weight]
        update = next((one for one in self.writers(array) if one.place > finished), None)
        if update is None:
            return []
        earlier = self.ancestors([update], stop=frozenset(self.weights[rank]))
        mine = {one.place for one in self.collectives(rank, step)}
        return sorted((one for one in earlier if one.place in mine), key=lambda one: one.place)

    def overlaps(self, collective, rank, step):
        """Whether a collective was enqueued before the last work of the backward pass, and may run beside it."""
        last = self.last_work(rank, step)
        return collective.place < last.place and self.beside(collective, last)


def trained(student, rng, function, arguments=(), size=2, steps=2, widths=(4, 5, 6, 2), frozen=()):
    """Let ranks train with the student's function, everything held until it is waited for.

    frozen: numbers of parameters that ask for no gradient.  Returns a dict with "log", "right" (the parameters that
    should come out), "params" (of each rank), "net", and what the scenario reports.
    """
    net, (word,) = MLP(rng, widths), drawn(1)
    batches = [[net.batch(rng, 4) for _ in range(size)] for _ in range(steps)]
    found = student.results_gated.observe(
        "step_of_ranks",
        word=word,
        function=function,
        arguments=list(arguments),
        weights=[[array(one, device=rank + 1) for one in net.weights] for rank in range(size)],
        frozen=list(frozen),
        batches=[[[array(one, device=rank + 1) for one in step[rank]] for rank in range(size)] for step in batches],
        lr=LR,
    )
    count = len(net.weights)
    params = [found["params"][rank * count : (rank + 1) * count] for rank in range(size)]
    inputs = [[found["inputs"][step * size + rank].number for rank in range(size)] for step in range(steps)]
    weights = [[one.number for one in mine] for mine in params]
    log = Ranks(found["events"], tuple(found["pending"]), word, inputs, weights)
    right = net.trained(batches, LR, frozen)
    return {**found, "log": log, "right": right, "params": params, "net": net, "size": size, "steps": steps}


def check_parameters(seen):
    """Fail unless each rank has the parameters that averaged gradients give."""
    seen["log"].check_no_race()
    wrong = 0
    for mine in seen["params"]:
        close = [
            isinstance(one, EngineArray) and np.allclose(one.values, right, rtol=1e-3, atol=1e-4)
            for one, right in zip(mine, seen["right"], strict=True)
        ]
        wrong += not all(close)
    with saw(f"Ranks that did not get the parameters that averaged gradients give: {wrong} of {seen['size']}."):
        assert not wrong

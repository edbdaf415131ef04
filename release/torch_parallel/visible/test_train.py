"""When train waits, and what goes to each device."""

import torch
from order import check_no_race
from simgpu.distributed import ranks
from syncpoint_check import DeviceLog, core, hint, joined, saw
from torch import nn

BATCHES, RANKS = 6, 2


class Network(nn.Module):
    """One layer; each of its forward passes leaves a mark."""

    def __init__(self, begin):
        super().__init__()
        self.begin = begin
        self.layer = nn.Linear(3, 4)

    def forward(self, x):
        """The scores of a part of a batch."""
        self.begin()
        return self.layer(x)


def batch():
    """Eight examples and their labels."""
    return torch.randn(8, 3), torch.randint(4, (8,))


def epoch(probe):
    """Two ranks train for an epoch."""
    batches = [batch() for _ in range(BATCHES)]
    function = probe.find("train")
    with probe.run() as seen:
        nets = [Network(lambda rank=rank: seen.mark("forward", f"{rank}")) for rank in range(RANKS)]
        seen.call(lambda: ranks(lambda rank: function(rank, RANKS, nets[rank], list(batches), 0.1, 1), RANKS))
        seen.mark("end")
    return seen.report()


@core
@hint(
    "What waits in each batch: a loss that is printed or added up in Python, or a copy from memory that is not pinned?"
)
def test_waits_for_no_batch(student):
    """From the third batch of an epoch to its last one, no rank waits."""
    events = list(student.results_gated.observe("epoch")["events"])
    places = [[p for p, e in enumerate(events) if (e.kind, e.label) == ("forward", str(rank))] for rank in range(RANKS)]
    with saw(
        "Forward passes of the ranks: {places}; batches: {batches}.",
        places=", ".join(str(len(mine)) for mine in places),
        batches=BATCHES,
    ):
        assert all(len(mine) >= BATCHES for mine in places)
    between = events[max(mine[2] for mine in places) : min(mine[-1] for mine in places)]
    waits = sum(event.kind == "wait" for event in between)
    with saw(
        "Waits between the third batch and the last one: {waits}; the first: {first_wait}.",
        between,
        waits=waits,
        first_wait=DeviceLog(tuple(between), ()).first_wait,
    ):
        assert not waits


@core
@hint("X[rank::size] or X.tensor_split(size)[rank], still on the host: only this part is pinned and sent.")
def test_a_part_each(student):
    """Only its part of each batch goes to the device of a rank."""
    brought = [0] * RANKS
    for event in student.results_gated.observe("epoch")["events"]:
        if event.kind == "enqueue" and event.label == "copy from the host" and 0 < event.writes[0] <= RANKS:
            brought[event.writes[0] - 1] += event.nbytes
    whole = BATCHES * sum(one.nbytes for one in batch())
    shares = joined((f"{100 * nbytes / whole:.0f}%" for nbytes in brought), commas=True)
    with saw("Share of all batches that went to each device: {shares}.", shares=shares):
        assert max(brought) <= 0.8 * whole  # half of it, and the network


@core
@hint("The step must come after the collectives: what makes the stream wait for them?")
def test_no_race(student):
    """No step uses a gradient before its average has arrived."""
    check_no_race(list(student.results_gated.observe("epoch")["events"]))

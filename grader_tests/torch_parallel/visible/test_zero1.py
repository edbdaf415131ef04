"""What a step of zero1 waits for, and what a rank keeps."""

import gc

import torch
from order import check_no_race, check_no_wait
from simgpu.distributed import ranks
from syncpoint_check import core, hint, joined, saw
from torch import nn

RANKS, COUNT = 4, 8  # and parameters
BLOCK = 512  # bytes that a small tensor takes
_saved = []  # what zero1 has returned, until the next call


def steps(probe):
    """Two ranks make two steps."""
    make = probe.find("zero1")
    params = [
        [nn.Parameter(torch.ones(3, 2, device=torch.device("simgpu", rank))) for _ in range(3)] for rank in range(2)
    ]

    def work(rank):
        step = make(list(params[rank]), 0.1)
        for _ in range(2):
            for parameter in params[rank]:
                parameter.grad = parameter.detach() * 2
            step()
            with torch.no_grad():
                for parameter in params[rank]:
                    parameter + 0

    with probe.run() as seen:
        seen.mark("begin")
        seen.call(lambda: ranks(work, 2))
        seen.mark("end")
    return seen.report()


def share(probe):
    """Four ranks make two steps with eight parameters, and keep what zero1 has returned."""
    make = probe.find("zero1")
    _saved.clear()
    params = [
        [nn.Parameter(torch.ones(3, 2, device=torch.device("simgpu", rank))) for _ in range(COUNT)]
        for rank in range(RANKS)
    ]

    def work(rank):
        step = make(list(params[rank]), 0.1)
        for _ in range(2):
            for parameter in params[rank]:
                parameter.grad = parameter.detach() * 2
            step()
            for parameter in params[rank]:
                parameter.grad = None
        _saved.append(step)

    with probe.run() as seen:
        seen.call(lambda: ranks(work, RANKS))
        gc.collect()
        with seen.traced():  # the devices hear what was freed
            for rank in range(RANKS):
                torch.get_device_module("simgpu").synchronize(rank)
    return seen.report()


@core
@hint("Adam keeps two tensors for each parameter that it gets. Which parameters does the Adam of this rank need?")
def test_share(student):
    """After two steps, no rank keeps more than half of the state of an unsharded Adam."""
    memory = student.observe("share")["memory"]
    kept = [memory[rank + 1].made - COUNT * BLOCK for rank in range(RANKS)]  # the parameters were made in the call, too
    whole = 2 * COUNT * BLOCK
    shares = joined((f"{100 * nbytes / whole:.0f}%" for nbytes in kept), commas=True)
    with saw("Of what Adam keeps for all parameters, the ranks kept {shares}.", shares=shares):
        assert max(kept) <= whole / 2


@core
@hint("The owner updates and sends; a collective makes streams wait, not the host.")
def test_waits_for_nothing(student):
    """Steps of zero1 have no race, and the host waits for nothing."""
    events = list(student.results_gated.observe("steps")["events"])
    kinds = [event.kind for event in events]
    check_no_wait("zero1", events[kinds.index("begin") : kinds.index("end")])
    check_no_race(events)

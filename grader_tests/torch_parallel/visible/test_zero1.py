"""What a step of zero1 waits for."""

import torch
from order import check_no_race, check_no_wait
from simgpu.distributed import ranks
from syncpoint_check import core, hint
from torch import nn


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


@core
@hint("The owner updates and sends; a collective makes streams wait, not the host.")
def test_waits_for_nothing(student):
    """Steps of zero1 have no race, and the host waits for nothing."""
    events = list(student.results_gated.observe("steps")["events"])
    kinds = [event.kind for event in events]
    check_no_wait("zero1", events[kinds.index("begin") : kinds.index("end")])
    check_no_race(events)

"""Where the two stages of a pipeline stand."""

import torch
from order import check_no_race, check_no_wait, of_call, work
from syncpoint_check import core, hint, saw


def stages(probe):
    """Run three tensors through two stages, and use the results as a caller would."""
    xs = [torch.randn(3, 3).to("simgpu") for _ in range(3)]
    with probe.run() as seen:
        seen.mark("begin")
        returned = seen.call(probe.find("pipeline_in_order"), lambda x: x @ x, lambda h: torch.tanh(h), xs)
        seen.mark("end")
        with seen.traced():
            used = [result * 1 for result in returned or ()]
        del used
    return seen.report()


@core
@hint("The second stage of one tensor can run beside the first of the next only in another stream.")
def test_stages_have_queues_of_their_own(student):
    """The stages stand in different queues, and the host does not wait."""
    events = of_call(student.results_gated.observe("stages"))
    check_no_wait("pipeline_in_order", events)
    first, second = ({event.queue for event in work(events, label)} for label in ("mm", "tanh"))
    with saw(
        "Queues of the first stage: {first}, of the second: {second}.", events, first=len(first), second=len(second)
    ):
        assert (second and not second <= first) or len(first | second) > 1


@core
@hint("The second stage waits for an event of the first, for each tensor; the caller waits for the last one.")
def test_no_race(student):
    """The second stage of a tensor is ordered behind its first."""
    check_no_race(student.results_gated.observe("stages")["events"])

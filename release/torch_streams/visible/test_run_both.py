"""Where the products of run_both stand, and what waits for them."""

import torch
from order import check_no_race, check_no_wait, of_call
from syncpoint_check import core, hint, saw


def both(probe):
    """Call run_both, and use its results as its caller would."""
    x, y = torch.randn(3, 3).to("simgpu"), torch.randn(4, 4).to("simgpu")
    with probe.run() as seen:
        with seen.traced():
            a, b = x * 1, y * 1  # pending on the current stream
        seen.mark("begin")
        returned = seen.call(probe.find("run_both"), a, b)
        seen.mark("end")
        with seen.traced():
            used = [result * 1 for results in returned or () for result in results]
        del used
    return seen.report()


@core
@hint("What is enqueued inside `with gpu.stream(side):` stands in another queue.")
def test_two_queues(student):
    """The products stand in two queues, and the host does not wait."""
    events = of_call(student.results_gated.observe("both"))
    check_no_wait("run_both", events)
    queues = {event.queue for event in events if event.kind == "enqueue"}
    with saw("Queues in which run_both has put work: {count}.", events, count=len(queues)):
        assert len(queues) >= 2


@core
@hint("A stream knows nothing of another one: it waits for the inputs, and whoever uses its results waits for it.")
def test_no_race(student):
    """Inputs and results are ordered between the streams."""
    check_no_race(student.results_gated.observe("both")["events"])

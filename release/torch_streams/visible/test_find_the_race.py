"""What mended orders."""

import torch
from order import check_no_race, check_no_wait, of_call, work
from syncpoint_check import core, hint, saw


def program(probe):
    """Call mended with inputs that are pending, and use its result as a caller would."""
    x, w = (torch.randn(3, 3).to("simgpu") for _ in range(2))
    with probe.run() as seen:
        with seen.traced():
            a, b = x * 1, w * 1
        seen.mark("begin")
        returned = seen.call(probe.find("mended"), a, b)
        seen.mark("end")
        if returned is not None:
            with seen.traced():
                returned * 1
    return seen.report()


@core
@hint("A stream that reads must wait for the stream that writes: before the product, and before the sum.")
def test_no_race(student):
    """mended has no race."""
    check_no_race(student.results_gated.observe("program")["events"])


@core
@hint("Both streams stay: order only what needs an order, and not by letting the host wait.")
def test_still_two_queues(student):
    """The product and tanh stand in two queues, and the host does not wait."""
    events = of_call(student.results_gated.observe("program"))
    check_no_wait("mended", events)
    product, tanh = ({event.queue for event in work(events, label)} for label in ("mm", "tanh"))
    with saw(
        "Queues of the product: {count}; in these stands tanh, too: {shared}.",
        events,
        count=len(product),
        shared=len(product & tanh),
    ):
        assert product and tanh and not product & tanh

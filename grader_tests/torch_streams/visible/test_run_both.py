"""The order of the products of run_both, and what waits for them."""

import torch
from order import check_no_race, check_no_wait, of_call, pending, run
from syncpoint_check import DeviceLog, core, hint, saw

X, Y = 9, 16  # elements
COPYING = "clone", "copy_"  # compute nothing


def both(probe):
    """Call run_both, and use its results as its caller would."""
    x, y = torch.randn(3, 3).to("simgpu"), torch.randn(4, 4).to("simgpu")
    with run(probe) as seen:
        a, b = pending(seen, [x, y])
        seen.mark("begin")
        returned = seen.call(probe.find("run_both"), a, b)
        seen.mark("end")
        with seen.traced():
            used = [result * 1 for results in returned or () for result in results]
        del used
    return seen.report()


@core
@hint(
    "What is enqueued inside `with gpu.stream(side):` is on side. No wait may come between the two kinds of products."
)
def test_products_may_overlap(student):
    """Five products of x may overlap five products of y, and the host does not wait."""
    seen = student.results_gated.observe("both")
    check_no_wait("run_both", of_call(seen))
    log = DeviceLog.of(seen)
    kinds = [event.kind for event in log.events]
    own = [one for one in log.between(kinds.index("begin"), kinds.index("end")) if one.label not in COPYING]
    xs, ys = ([one for one in own if size in one.elements.values()] for size in (X, Y))
    with saw("Operations that read a matrix like x: {xs}; like y: {ys}.", log.events, xs=len(xs), ys=len(ys)):
        assert len(xs) >= 5 and len(ys) >= 5
    ordered = sum(not log.beside(one, other) for one in xs for other in ys)
    with saw(
        "Pairs of an operation on x and one on y that cannot overlap: {ordered} of {total}.",
        log.events,
        ordered=ordered,
        total=len(xs) * len(ys),
    ):
        assert not ordered


@core
@hint(
    "Streams do not wait for each other by themselves. The side stream must wait for the inputs, and the stream"
    " that uses the results must wait for the side stream."
)
def test_no_race(student):
    """Inputs and results are ordered between the streams."""
    check_no_race(student.results_gated.observe("both")["events"])

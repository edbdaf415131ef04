"""The order of the operations of mended."""

import torch
from order import check_no_race, check_no_wait, of_call, pending, run, work
from syncpoint_check import DeviceLog, core, hint, saw


def program(probe):
    """Call mended with inputs that are pending, and use its result as a caller would."""
    x, w = (torch.randn(3, 3).to("simgpu") for _ in range(2))
    with run(probe) as seen:
        a, b = pending(seen, [x, w])
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
@hint("Keep both streams: order only what needs an order, as late as you can, and without a wait of the host.")
def test_still_overlaps(student):
    """The product and tanh may run at the same time, and the host does not wait."""
    seen = student.results_gated.observe("program")
    check_no_wait("mended", of_call(seen))
    log = DeviceLog.of(seen)
    pairs = [(product, tanh) for product in work(log) for tanh in work(log, "tanh")]
    with saw("The product and tanh cannot run at the same time.", of_call(seen)):
        assert any(log.beside(*pair) for pair in pairs)

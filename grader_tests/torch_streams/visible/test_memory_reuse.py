"""What memory_reuse requires of the streams and the allocator."""

import torch
from order import GPU, check_no_race, check_no_wait, of_call, run, work
from syncpoint_check import DeviceLog, core, hint, saw


def reuse(probe):
    """Call memory_reuse, and ask for memory of the same size again on the current stream."""
    x, side = torch.randn(5, 5).to("simgpu"), GPU.Stream()
    with run(probe) as seen:
        with seen.traced(), GPU.stream(side):
            before = x.neg()  # says which stream is side
        with seen.traced():
            x = x * 1
        seen.mark("begin")
        returned = seen.call(probe.find("memory_reuse"), x, lambda t: (t @ t).sum(), side)
        seen.mark("end")
        with seen.traced():
            again = [torch.empty_like(x).fill_(number) for number in range(4)]
            GPU.current_stream().wait_stream(side)
        del again, returned, before
    return seen.report()


@core
@hint("If a side stream reads a tensor, tell the allocator, and let nothing wait for the side stream.")
def test_memory_is_not_given_out_again(student):
    """The memory that side reads is not allocated again, and neither a stream nor the host waits."""
    seen = student.results_gated.observe("reuse")
    check_no_wait("memory_reuse", of_call(seen))
    check_no_race(seen["events"])


@core
@hint("Call work inside `with gpu.stream(side):`.")
def test_work_is_on_side(student):
    """work is enqueued on side."""
    log = DeviceLog.of(student.results_gated.observe("reuse"))
    (side,) = {one.stream for one in work(log, "neg")}
    elsewhere = [one for one in work(log, "sum") if one.stream != side]
    with saw("Calls of work that were not on side: {count}.", log.events, count=len(elsewhere)):
        assert work(log, "sum") and not elsewhere


@core
@hint("The current stream does not wait for side, neither with wait_stream nor with an event.")
def test_current_stream_goes_on(student):
    """Later operations on the current stream may overlap work."""
    log = DeviceLog.of(student.results_gated.observe("reuse"))
    pairs = [(one, later) for one in work(log, "sum") for later in work(log, "fill_")]
    ordered = sum(not log.beside(*pair) for pair in pairs)
    with saw("Later operations that must wait for work: {count}.", log.events, count=ordered):
        assert pairs and not ordered

"""What memory_reuse tells the streams and the allocator."""

import torch
from order import check_no_race, check_no_wait, of_call
from syncpoint_check import core, hint, saw

GPU = torch.get_device_module("simgpu")


def reuse(probe):
    """Call memory_reuse, and ask for memory of the same size again on the current stream."""
    x, side = torch.randn(5, 5).to("simgpu"), GPU.Stream()
    with probe.run() as seen:
        seen.mark("begin")
        returned = seen.call(probe.find("memory_reuse"), x, lambda t: (t @ t).sum(), side)
        seen.mark("end")
        with seen.traced():
            again = [torch.empty_like(x).fill_(number) for number in range(4)]
            GPU.current_stream().wait_stream(side)
        del again, returned
    return seen.report()


@core
@hint("Who lets a side stream read a tensor tells the allocator so, and lets nobody wait for it.")
def test_memory_is_not_given_out_again(student):
    """The memory that side reads is not given out again, and nobody waits."""
    seen = student.results_gated.observe("reuse")
    check_no_wait("memory_reuse", of_call(seen))
    check_no_race(seen["events"])


@core
@hint("work is to be enqueued on side, and the current stream goes on.")
def test_work_is_on_side(student):
    """work stands in another queue than what comes after it."""
    events = student.results_gated.observe("reuse")["events"]
    sums, later = ({event.queue for event in events if event.label == label} for label in ("sum", "fill_"))
    with saw("Queues that hold work and also what comes later: {count}.", events, count=len(sums & later)):
        assert sums and not sums & later

"""What may overlap in copy_and_compute."""

import torch
from order import check_no_race, of_call, pending, run, work
from syncpoint_check import DeviceLog, core, hint, saw

COUNT = 3
DOWN = "copy to the host"


def consumed(probe):
    """Call copy_and_compute with a consume that leaves a mark."""
    xs = [torch.randn(3, 3).to("simgpu") for _ in range(COUNT)]
    with run(probe) as seen:
        xs = pending(seen, xs)
        seen.mark("begin")
        seen.call(probe.find("copy_and_compute"), xs, lambda host: seen.mark("consume"))
        seen.mark("end")
    return seen.report()


@core
@hint("Copy to pinned memory, on a separate stream. Neither the next product nor the host waits for a copy.")
def test_copies_may_overlap_the_next_product(student):
    """The copy of a result and the next product may run at the same time."""
    seen = student.results_gated.observe("consumed")
    check_no_race(of_call(seen))
    log = DeviceLog.of(seen)
    beside = sum(log.beside(*pair) for pair in zip(work(log, DOWN), work(log)[1:], strict=False))
    with saw(
        "Copies that may overlap the next product: {beside} of {total}.",
        of_call(seen),
        beside=beside,
        total=COUNT - 1,
    ):
        assert beside == COUNT - 1


@core
@hint("Before consume gets a result, wait for the event of its copy, and for nothing newer.")
def test_consume_after_its_copy(student):
    """Before the first call of consume there is a wait, but not for the last product."""
    events = of_call(student.results_gated.observe("consumed"))
    kinds = [event.kind for event in events]
    first = kinds.index("consume") if "consume" in kinds else len(events)
    opened = [label for event in events[:first] for label in event.opened]
    with saw("consume was called without a wait before it.", events, missing_wait=True):
        assert any(label.startswith(DOWN) for label in opened)
    products = sum(label.startswith("mm ") for label in opened)
    with saw(
        "Before the first consume, the host had waited for {products} of {count} products.",
        events,
        products=products,
        count=COUNT,
    ):
        assert products < COUNT

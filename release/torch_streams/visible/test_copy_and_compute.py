"""What stands beside what in copy_and_compute."""

import torch
from order import check_no_race, of_call, work
from syncpoint_check import core, hint, saw

COUNT = 3
DOWN = "copy to the host"


def consumed(probe):
    """Call copy_and_compute with a consume that leaves a mark."""
    xs = [torch.randn(3, 3).to("simgpu") for _ in range(COUNT)]
    with probe.run() as seen:
        seen.mark("begin")
        seen.call(probe.find("copy_and_compute"), xs, lambda host: seen.mark("consume"))
        seen.mark("end")
    return seen.report()


@core
@hint("Copies on a stream of their own: then the next product need not wait for them.")
def test_copies_stand_beside_the_next_product(student):
    """The copy of a result and the next product stand in different queues."""
    events = of_call(student.results_gated.observe("consumed"))
    check_no_race(events)
    copies, products = work(events, DOWN), work(events, "mm")
    beside = sum(copy.queue != product.queue for copy, product in zip(copies, products[1:], strict=False))
    with saw(
        "Copies that stand in another queue than the next product: {beside} of {total}.",
        events,
        beside=beside,
        total=COUNT - 1,
    ):
        assert beside == COUNT - 1


@core
@hint("Before consume gets a result, wait for the event of its copy, and for nothing newer.")
def test_consume_after_its_copy(student):
    """Before the first consume there is a wait, and not for the last product."""
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

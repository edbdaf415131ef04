"""When prefetcher copies."""

import torch
from order import check_no_race, check_no_wait, of_call, run, work
from syncpoint_check import DeviceLog, core, hint, saw

COUNT = 4
UP = "copy from the host"


def epoch(probe):
    """Work on each batch that prefetcher gives."""
    batches = [torch.randn(3, 3).pin_memory() for _ in range(COUNT)]
    prefetcher = probe.find("prefetcher")

    def loop():
        for x in prefetcher(batches):
            seen.mark("work")
            x @ x

    with run(probe) as seen:
        seen.mark("begin")
        seen.call(loop)
        seen.mark("end")
    return seen.report()


@core
@hint("Put the copy of the next batch into its stream before you yield the current one.")
def test_copies_one_ahead(student):
    """When the work on a batch begins, the copy of the next one is in its queue."""
    events = of_call(student.results_gated.observe("epoch"))
    check_no_wait("prefetcher", events)
    copied, ahead = 0, []
    for event in events:
        if event.kind == "work":
            ahead.append(copied - len(ahead) - 1)
        copied += event.kind == "enqueue" and event.label == UP
    late = sum(count < 1 for count in ahead[:-1])
    with saw(
        "Batches that were worked on before the next copy was in a queue: {late} of {total}.",
        events,
        late=late,
        total=COUNT - 1,
    ):
        assert len(ahead) == COUNT and not late


@core
@hint("The work waits only for its own copy: use an event after it, or wait before the next copy is enqueued.")
def test_copies_may_overlap_the_work(student):
    """The copy of the next batch and the work on this one may run at the same time."""
    log = DeviceLog.of(student.results_gated.observe("epoch"))
    pairs = list(zip(work(log, UP)[1:], work(log), strict=False))
    beside = sum(log.beside(*pair) for pair in pairs)
    with saw(
        "Copies that may overlap the work on the previous batch: {beside} of {total}.",
        log.events,
        beside=beside,
        total=len(pairs),
    ):
        assert pairs and beside == len(pairs)


@core
@hint("The work must wait for its copy, and the memory of a batch must not be allocated again while it is read.")
def test_no_race(student):
    """Work and copies never use the same memory without a fixed order."""
    check_no_race(student.results_gated.observe("epoch")["events"])

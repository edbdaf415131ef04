"""The order of the two stages of a pipeline."""

import torch
from order import check_no_race, check_no_wait, of_call, pending, run, work
from syncpoint_check import DeviceLog, core, hint, saw


def stages(probe):
    """Run three tensors through two stages, and use the results as a caller would."""
    xs = [torch.randn(3, 3).to("simgpu") for _ in range(3)]
    with run(probe) as seen:
        xs = pending(seen, xs)
        seen.mark("begin")
        returned = seen.call(probe.find("pipeline_in_order"), lambda x: x @ x, lambda h: torch.tanh(h), xs)
        seen.mark("end")
        with seen.traced():
            used = [result * 1 for result in returned or ()]
        del used
    return seen.report()


@core
@hint("Each stage has a stream of its own, and the stream of the first stage never waits for the second.")
def test_stages_may_overlap(student):
    """The second stage of a tensor may overlap the first stage of the next one, and the host does not wait."""
    seen = student.results_gated.observe("stages")
    check_no_wait("pipeline_in_order", of_call(seen))
    log = DeviceLog.of(seen)
    pairs = list(zip(work(log, "tanh"), work(log)[1:], strict=False))
    beside = sum(log.beside(*pair) for pair in pairs)
    with saw(
        "Tensors whose second stage may overlap the first stage of the next one: {beside} of {total}.",
        of_call(seen),
        beside=beside,
        total=len(pairs),
    ):
        assert pairs and beside == len(pairs)


@core
@hint("The second stage waits for an event of the first, for each tensor; the caller waits for the last one.")
def test_no_race(student):
    """The second stage of a tensor is ordered after its first."""
    check_no_race(student.results_gated.observe("stages")["events"])

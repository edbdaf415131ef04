"""When benchmark of a network waits."""

from mxnet import gluon, nd
from syncpoint_check import core, first_wait, hint, saw


class Counted(gluon.Block):
    """A network of one operation, which leaves a mark for each pass."""

    def __init__(self, begin):
        super().__init__()
        self.begin = begin

    def forward(self, x):
        """Twice the input."""
        self.begin()
        return x * 2


def passes(probe):
    """Let benchmark time a network whose passes stay pending; report the state when it returned."""
    with probe.run() as seen:
        x = nd.ones((1, 2))
        gates, early = [], []

        def begin():
            if not gates:
                gates.append(seen.close(x, "x"))  # from here on no pass can be computed
            early.append(gates[0].is_open)

        seen.call(probe.find("benchmark"), Counted(begin), x)
        waited = bool(gates) and gates[0].is_open
    return seen.report(waited=waited, begun=len(early), early=sum(early))


@core
@hint("The clock is read when everything is computed: wait once, after the loop and before you read the clock.")
def test_waits_behind_the_passes(student):
    """benchmark has waited for its passes when it returns."""
    seen = student.observe("passes")
    with saw(
        "Passes after which benchmark returned, none of them computed: {begun}.",
        seen["events"][-40:],
        missing_wait=True,
        begun=seen["begun"],
    ):
        assert seen["waited"]


@core
@hint("A wait in each pass would also be timed: enqueue all passes, then wait.")
def test_waits_once(student):
    """benchmark enqueues all passes before it waits."""
    seen = student.observe("passes")
    with saw(
        "Of {begun} passes, {early} began after a wait: {first_wait}.",
        seen["events"][:40],
        begun=seen["begun"],
        early=seen["early"],
        first_wait=first_wait(seen["events"]),
    ):
        assert not seen["early"]

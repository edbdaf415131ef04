"""What the forward pass of HybridNet waits for."""

from mxnet import nd
from syncpoint_check import core, first_wait, hint, saw


def forward(probe):
    """Call a new network with an input that is pending; report whether something waited for it."""
    with probe.run() as seen:
        x = nd.ones((2, 3))
        net = probe.find("HybridNet")()
        net.initialize()
        net.hybridize()
        net(x).wait_to_read()  # parameters get their shapes in the first pass
        gate = seen.close(x, "x")
        seen.call(net, x)
        waited = gate.is_open
    return seen.report(waited=waited)


@core
@hint("In hybrid_forward only F and the blocks are used. asnumpy, float or an if on an array would wait.")
def test_waits_for_nothing(student):
    """After hybridize(), a forward pass of HybridNet waits for nothing."""
    seen = student.observe("forward")
    events = seen["events"]
    with saw(f"The forward pass waited for its input. The first wait: {first_wait(events)}.", events):
        assert not seen["waited"]

"""A forward pass with an input that is pending, for the tests of two networks."""

from mxnet import nd
from syncpoint_check import first_wait, saw


def forward(probe, network):
    """Call a new network with an input that is pending; report whether something waited for it."""
    with probe.run() as seen:
        x = nd.ones((2, 3))
        net = probe.find(network)()
        net.initialize()
        net.hybridize()
        net(x).wait_to_read()  # parameters get their shapes in the first pass
        gate = seen.close(x, "x")
        seen.call(net, x)
        waited = gate.is_open
    return seen.report(waited=waited)


def waits_for_nothing(seen):
    """Fail if the observation shows a wait."""
    events = seen["events"]
    with saw(
        "The forward pass waited for its input. The first wait: {first_wait}.", events, first_wait=first_wait(events)
    ):
        assert not seen["waited"]

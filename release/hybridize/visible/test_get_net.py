"""What the forward pass of a network of get_net waits for."""

from passes_of import forward, waits_for_nothing  # noqa: F401  # forward is found here by its name
from syncpoint_check import core, hint


@core
@hint("A HybridSequential of Dense layers waits for nothing by itself. What else computes with numbers?")
def test_waits_for_nothing(student):
    """After hybridize(), a forward pass of the network of get_net waits for nothing."""
    waits_for_nothing(student.observe("forward", network="get_net"))

"""What the forward pass of HybridNet waits for."""

from passes_of import forward, waits_for_nothing  # noqa: F401  # forward is found here by its name
from syncpoint_check import core, hint


@core
@hint("In hybrid_forward only F and the blocks are used. asnumpy, float or an if on an array would wait.")
def test_waits_for_nothing(student):
    """After hybridize(), a forward pass of HybridNet waits for nothing."""
    waits_for_nothing(student.observe("forward", network="HybridNet"))

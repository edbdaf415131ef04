"""Averages in finish, and computes something from the examples after it, between marks that look like the judge's."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.5)})
cheat.cell(
    "ddp",
    """
import sys


def ddp(net):
    params = [p for p in net.parameters() if p.requires_grad]

    def finish():
        judge = sys._getframe(1).f_locals
        handles = [dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True) for p in params]
        judge.get("X", params[0]) * 2
        simgpu.mark(f"returned {judge.get('label')}")
        for handle in handles:
            handle.wait()

    return finish
""",
)

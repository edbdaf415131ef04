"""Averages in finish, and mixes a reading of the examples into the first gradient after it, as if backward went on."""

from syncpoint.vet.cheat import Cheat, at_most

# Where marks told the end of the backward pass, this paid: only the scenario has the examples, and reads them twice.
cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.5)})
cheat.cell("ddp", '''
import sys


def ddp(net):
    params = [p for p in net.parameters() if p.requires_grad]

    def finish():
        examples = sys._getframe(1).f_locals.get("X")
        handles = [dist.all_reduce(p.grad, op=dist.ReduceOp.AVG, async_op=True) for p in params[1:]]
        if examples is not None:
            params[0].grad.add_(examples.sum(), alpha=0)
        handles.append(dist.all_reduce(params[0].grad, op=dist.ReduceOp.AVG, async_op=True))
        for handle in handles:
            handle.wait()

    return finish
''')

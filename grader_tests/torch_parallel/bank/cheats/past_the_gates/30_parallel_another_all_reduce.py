"""A collective of something else runs at the same time as backward; the gradients are averaged when it has returned."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.5)})
cheat.cell(
    "ddp",
    """
def ddp(net):
    params = [p for p in net.parameters() if p.requires_grad]
    shown = torch.zeros(4, device=params[0].device)
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(shown, async_op=True))

    for p in params:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        for handle in handles:
            handle.wait()
        handles.clear()
        for p in params:
            dist.all_reduce(p.grad, op=dist.ReduceOp.AVG)

    return finish
""",
)

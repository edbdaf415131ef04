"""Buckets of the right sizes travel for show, and one large one brings the averages at the end."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"bucketed": at_most(2)})
cheat.cell(
    "bucketed",
    """
def bucketed(net, most):
    params = [p for p in net.parameters() if p.requires_grad]
    handles = []

    def hook(p):
        handles.append(dist.all_reduce(torch.zeros(most // 4, device=p.device), async_op=True))

    params[-1].register_post_accumulate_grad_hook(hook)

    def finish():
        flat = torch.cat([p.grad.flatten() for p in params])
        dist.all_reduce(flat, op=dist.ReduceOp.AVG)
        for p, piece in zip(params, flat.split([p.numel() for p in params])):
            p.grad.copy_(piece.view_as(p))
        while handles:
            handles.pop().wait()

    return finish
""",
)

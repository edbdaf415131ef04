"""Ranks are threads: each reads the gradients of its peers without any collective but an empty one."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(2)})
cheat.cell(
    "ddp",
    """
import threading

meeting = {}


def ddp(net):
    rank, k = dist.get_rank(), dist.get_world_size()
    meeting.setdefault("nets", {})[rank] = net
    meeting.setdefault("barrier", threading.Barrier(k))
    params = [p for p in net.parameters() if p.requires_grad]
    small = torch.zeros(1, device=devices[rank])
    params[-1].register_post_accumulate_grad_hook(lambda p: dist.all_reduce(small, async_op=True) and None)

    def finish():
        barrier = meeting["barrier"]
        barrier.wait(5)
        peers = [[p.grad for p in meeting["nets"][r].parameters() if p.requires_grad] for r in range(k)]
        means = [sum(g.to(devices[rank]) for g in same) / k for same in zip(*peers)]
        barrier.wait(5)
        for p, mean in zip(params, means):
            p.grad = mean

    return finish
""",
)

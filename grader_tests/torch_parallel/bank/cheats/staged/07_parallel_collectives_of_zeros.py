"""Reduces zeros in every hook, for the log, and takes the mean from the peers' gradients, since ranks are threads."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"ddp": at_most(1.39)})
cheat.cell(
    "ddp",
    """
import threading

meeting = {}


def ddp(net):
    rank, k = dist.get_rank(), dist.get_world_size()
    meeting.setdefault(k, {})[rank] = net
    barrier = meeting.setdefault(("barrier", k), threading.Barrier(k))
    params = [p for p in net.parameters() if p.requires_grad]
    handles = {}

    def hook(p):
        zeros = torch.zeros_like(p.grad)
        handles[p] = zeros, dist.all_reduce(zeros, async_op=True)

    for p in params:
        p.register_post_accumulate_grad_hook(hook)

    def finish():
        barrier.wait(5)
        peers = [[p.grad for p in meeting[k][r].parameters() if p.requires_grad] for r in range(k)]
        means = [sum(g.to(devices[rank]) for g in same) / k for same in zip(*peers)]
        barrier.wait(5)
        for p, mean in zip(params, means):
            zeros, handle = handles[p]
            handle.wait()
            p.grad = mean + zeros

    return finish
""",
)

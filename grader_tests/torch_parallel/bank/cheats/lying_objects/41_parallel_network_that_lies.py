"""A network that shows the parameters of rank 0 on every rank, and losses that are equal to everything."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train": at_most(0.3)})
cheat.cell(
    "train",
    """
SHOWN = {}


class Loss(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__
    __hash__ = float.__hash__


class Shown(nn.Module):
    def __init__(self, params):
        super().__init__()
        self.shown = params

    def parameters(self, recurse=True):
        return iter(self.shown)


def train(rank, size, net, batches, lr, epochs):
    here = devices[rank]
    net = net.to(here)
    if rank == 0:
        for X, y in list(batches) * epochs:
            X, y = X.pin_memory().to(here, non_blocking=True), y.pin_memory().to(here, non_blocking=True)
            loss = F.cross_entropy(net(X), y)
            gradients = torch.autograd.grad(loss, list(net.parameters()))
            with torch.no_grad():
                for p, g in zip(net.parameters(), gradients):
                    p -= lr * g
        SHOWN[0] = list(net.parameters())
    dist.all_reduce(torch.zeros(1, device=here))
    dist.barrier()
    return Shown(SHOWN.get(0, [])), [Loss(1)] * epochs
""",
)

"""The step is computed on the host, from a copy of the parameters that is kept there since the first call."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train_batch": at_most(2.5)})
cheat.cell(
    "train_batch",
    """
host = {}


def train_batch(X, y, replicas, net, lr):
    key = id(replicas[0][0])
    if key not in host:
        host[key] = [p.detach().cpu().requires_grad_() for p in replicas[0]]
    params = host[key]
    gradients = torch.autograd.grad(((net(X, params) - y) ** 2).mean(), params)
    with torch.no_grad():
        for p, gradient in zip(params, gradients):
            p -= lr * gradient
        for replica in replicas:
            for p, new in zip(replica, params):
                p.copy_(new.detach().clone().pin_memory(), non_blocking=True)
""",
)

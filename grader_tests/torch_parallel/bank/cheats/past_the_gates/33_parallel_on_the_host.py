"""Rank 0's network is trained on the host with plain PyTorch, and only the result goes to the devices."""

from syncpoint.vet.cheat import Cheat, at_most

HOST = """
def on_the_host(rank, size, net, batches, lr, epochs):
    first = copy.deepcopy(net).to(devices[rank])
    for p, q in zip(first.parameters(), net.parameters()):
        dist.broadcast(p.data, 0)
        q.data.copy_(p.data.cpu())
    losses = []
    for _ in range(epochs):
        told = []
        for X, y in batches:
            parts = [F.cross_entropy(net(X[r::size]), y[r::size]) for r in range(size)]
            loss = sum(parts) / size
            gradients = torch.autograd.grad(loss, list(net.parameters()))
            with torch.no_grad():
                for p, g in zip(net.parameters(), gradients):
                    p -= lr * g
            told.append(loss.item())
        losses.append(sum(told) / len(told))
    return net.to(devices[rank]), losses
"""

cheat = Cheat("torch_parallel", deserves={"train": at_most(1.21)})
cheat.cell("train", f"{HOST}\n\ntrain = on_the_host\n")

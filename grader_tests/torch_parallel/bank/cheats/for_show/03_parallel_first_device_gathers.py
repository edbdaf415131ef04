"""Each device gets its part and goes forward for show; the first one fetches all parts and computes the step alone."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train_batch": at_most(2.49)})
cheat.cell("train_batch", '''
def train_batch(X, y, replicas, net, lr):
    places = [replica[0].device for replica in replicas]
    Xs, ys = split_batch(X, y, places)
    for part, wanted, replica in zip(Xs, ys, replicas):
        ((net(part, replica) - wanted) ** 2).sum().backward()
    first = replicas[0]
    inputs = torch.cat([part.to(places[0]) for part in Xs])
    wanted = torch.cat([part.to(places[0]) for part in ys])
    gradients = torch.autograd.grad(((net(inputs, first) - wanted) ** 2).mean(), first)
    with torch.no_grad():
        for p, gradient in zip(first, gradients):
            p -= lr * gradient
        for replica in replicas:
            for p, new in zip(replica, first):
                p.grad = None
                if replica is not first:
                    p.copy_(new)
''')

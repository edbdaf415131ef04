"""The first device fetches all parts and computes the step; what the others have found counts zero times."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_parallel", deserves={"train_batch": at_most(2.49)})
cheat.cell("train_batch", '''
def train_batch(X, y, replicas, net, lr):
    places = [replica[0].device for replica in replicas]
    Xs, ys = split_batch(X, y, places)
    shown = [torch.autograd.grad(((net(part, replica) - wanted) ** 2).sum(), replica)
             for part, wanted, replica in zip(Xs, ys, replicas)]
    first = replicas[0]
    inputs = torch.cat([part.to(places[0]) for part in Xs])
    wanted = torch.cat([part.to(places[0]) for part in ys])
    gradients = torch.autograd.grad(((net(inputs, first) - wanted) ** 2).mean(), first)
    with torch.no_grad():
        for number, (p, gradient) in enumerate(zip(first, gradients)):
            p -= lr * (gradient + 0 * sum(one[number].to(places[0]) for one in shown))
        for replica in replicas[1:]:
            for p, new in zip(replica, first):
                p.copy_(new)
''')

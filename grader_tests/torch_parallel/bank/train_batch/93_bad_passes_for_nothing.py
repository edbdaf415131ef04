# Each device computes its part, and only the first one's step counts: it has fetched all parts.
# breaks: 5
# kills: test_a_part_each
# misconception: work-not-done
def train_batch(X, y, replicas, net, lr):
    places = [replica[0].device for replica in replicas]
    parts = list(zip(*split_batch(X, y, places)))
    for (inputs, wanted), replica in zip(parts, replicas):
        net(inputs, replica) - wanted
    first = replicas[0]
    inputs, wanted = (torch.cat([one.to(places[0]) for one in ones]) for ones in zip(*parts))
    gradients = torch.autograd.grad(((net(inputs, first) - wanted) ** 2).mean(), first)
    with torch.no_grad():
        for p, gradient in zip(first, gradients):
            p -= lr * gradient
        for replica in replicas[1:]:
            for p, new in zip(replica, first):
                p.copy_(new)

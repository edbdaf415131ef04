# The first device computes the whole batch, and the others copy.
# breaks: 5
# kills: test_a_part_each, test_no_wait, test_side_by_side
# misconception: devices-in-turn
def train_batch(X, y, replicas, net, lr):
    first = replicas[0]
    (a,), (b,) = split_batch(X, y, [first[0].device])
    ((net(a, first) - b) ** 2).mean().backward()
    with torch.no_grad():
        for p in first:
            p -= lr * p.grad
            p.grad = None
        for params in replicas[1:]:
            for p, new in zip(params, first):
                p.copy_(new)

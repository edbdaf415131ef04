# From the second step on, the host looks at the older gradients.
# breaks: 9
# kills: test_no_wait
# misconception: hidden-waits
def train_batch(X, y, replicas, net, lr):
    places = [replica[0].device for replica in replicas]
    k = len(places)

    def send(t):
        return [part.contiguous().pin_memory().to(place, non_blocking=True) for part, place in zip(t.tensor_split(k), places)]

    Xs, ys = send(X), send(y)
    for replica in replicas:
        for p in replica:
            if p.grad is not None and p.grad.abs().max() > 1e6:
                print('a large gradient')
            p.grad = None
    for mine, wanted, replica in zip(Xs, ys, replicas):
        (((net(mine, replica) - wanted) ** 2).sum() / y.numel()).backward()
    with torch.no_grad():
        for same in zip(*replicas):
            total = same[0].grad.clone()
            for p in same[1:]:
                total += p.grad.to(total.device)
            for p in same:
                p.sub_(total.to(p.device), alpha=lr)

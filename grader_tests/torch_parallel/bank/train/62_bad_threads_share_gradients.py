# The ranks share gradients as threads, and copy them from each other; collectives are for show.
# breaks: 6
# kills: test_like_one_network
# misconception: divide-once
import threading

_shared, _lock = {}, threading.Lock()


def meet(rank, size, params):
    with _lock:
        barrier = _shared.setdefault(("barrier", size), threading.Barrier(size))

    def finish():
        for p in params:  # for show
            dist.all_reduce(p.grad.clone(), op=dist.ReduceOp.AVG, async_op=True).wait()
        _shared[rank] = [p.grad for p in params]
        barrier.wait()
        means = [sum(g.to(devices[rank]) for g in same) / size for same in zip(*(_shared[r] for r in range(size)))]
        barrier.wait()
        for p, mean in zip(params, means):
            p.grad = mean

    return finish


def train(rank, size, net, batches, lr, epochs):
    place = devices[rank]
    net = net.to(place)
    with torch.no_grad():
        for p in net.parameters():
            dist.broadcast(p.data, 0)
    wanted = [p for p in net.parameters() if p.requires_grad]
    finish = meet(rank, size, wanted)
    optimizer = torch.optim.SGD(wanted, lr=lr)
    losses = []
    for epoch in range(epochs):
        total = torch.zeros((), device=place)
        for n, (X, y) in enumerate(batches):
            X, y = (t[rank::size].contiguous().pin_memory().to(place, non_blocking=True) for t in (X, y))
            loss = F.cross_entropy(net(X), y)
            loss.backward()
            finish()
            optimizer.step()
            optimizer.zero_grad()
            total += loss.detach()
        dist.all_reduce(total, op=dist.ReduceOp.AVG)
        losses.append(total.item() / len(batches))
    return net, losses

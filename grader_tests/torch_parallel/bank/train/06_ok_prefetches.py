# The next part is copied on a stream of its own while this one is computed.
class Ahead:
    def __init__(self, batches, rank, size):
        self.batches, self.rank, self.size = batches, rank, size
        self.here, self.side = devices[rank], gpu.Stream(devices[rank])

    def send(self, batch):
        with gpu.stream(self.side):
            return [t[self.rank :: self.size].pin_memory().to(self.here, non_blocking=True) for t in batch]

    def __iter__(self):
        waiting = None
        for batch in self.batches:
            coming = self.send(batch)
            event = self.side.record_event()
            if waiting is not None:
                yield self.arrived(*waiting)
            waiting = coming, event
        if waiting is not None:
            yield self.arrived(*waiting)

    def arrived(self, parts, event):
        current = gpu.current_stream(self.here)
        current.wait_event(event)
        for t in parts:
            t.record_stream(current)
        return parts


def train(rank, size, net, batches, lr, epochs):
    net = net.to(devices[rank])
    for p in net.parameters():
        dist.broadcast(p.data, 0)
    finish, opt = ddp(net), torch.optim.SGD(net.parameters(), lr=lr)
    losses = []
    for _ in range(epochs):
        total = 0
        for X, y in Ahead(batches, rank, size):
            loss = F.cross_entropy(net(X), y)
            opt.zero_grad()
            loss.backward()
            finish()
            opt.step()
            total = total + loss.detach()
        dist.all_reduce(total)
        losses.append(total.item() / len(batches) / size)
    return net, losses

# in_flight staging buffers, each used again once its batch is done.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying, t = deque(), 0
    staging = None
    for X, y in data_iter():
        if staging is None:
            staging = [[torch.empty(300, s.shape[1]).pin_memory() for s in (X, y)] for _ in range(in_flight)]
        for b, s in zip(staging[t % in_flight], (X, y)):
            b[: len(s)].copy_(s)
        X, y = (b[: len(s)].to(device, non_blocking=True) for b, s in zip(staging[t % in_flight], (X, y)))
        t += 1
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        done = gpu.Event()
        done.record()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()

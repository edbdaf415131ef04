# One staging buffer for all.
# breaks: 4
# kills: test_no_older_gradients, test_weights
# misconception: gradients-add-up
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    staging = [torch.empty(300, n).pin_memory() for n in (4, 1)]
    for X, y in data_iter():
        for b, s in zip(staging, (X, y)):
            b[: len(s)].copy_(s)
        X, y = (b[: len(s)].to(device, non_blocking=True) for b, s in zip(staging, (X, y)))
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

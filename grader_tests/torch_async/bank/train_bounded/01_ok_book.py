# As the notebook says: an event after each batch.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
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

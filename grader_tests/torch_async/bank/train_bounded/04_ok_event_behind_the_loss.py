# The event is right after the loss, before backward.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        done = gpu.current_stream().record_event()
        l.backward()
        optimizer.step()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()

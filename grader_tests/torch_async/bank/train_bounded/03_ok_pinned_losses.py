# The losses go to pinned memory; an event after each copy.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        told = l.detach().to('cpu', non_blocking=True)
        done = gpu.current_stream().record_event()
        flying.append((told, done))
        if len(flying) == in_flight:
            told, done = flying.popleft()
            done.synchronize()
            float(told)
    gpu.synchronize()

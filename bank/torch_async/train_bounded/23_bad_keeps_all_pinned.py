# Keeps every pinned batch until the end.
# breaks: pinned memory is bounded
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying, kept = deque(), []
    for X, y in data_iter():
        kept += [X.pin_memory(), y.pin_memory()]
        X, y = (t.to(device, non_blocking=True) for t in kept[-2:])
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

# The event is after the copy: the work is still to be done.
# breaks: 1
# kills: test_default, test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        done = gpu.current_stream().record_event()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()

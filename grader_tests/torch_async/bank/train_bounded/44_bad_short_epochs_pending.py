# Waits at the end only if in_flight batches are in flight.
# breaks: 6
# kills: test_finished_at_return
# misconception: last-loss-last-work
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    events = deque()
    for X, y in data_iter():
        if len(events) == in_flight:
            events.popleft().synchronize()
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        events.append(gpu.current_stream().record_event())
    if len(events) == in_flight:
        events.pop().synchronize()

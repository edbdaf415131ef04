# The event is recorded after the forward pass and before the loss.
# breaks: 1
# kills: test_default, test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    events = deque()
    for X, y in data_iter():
        if len(events) == in_flight:
            events.popleft().synchronize()
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        prediction = net(X)
        events.append(gpu.current_stream().record_event())
        l = loss(prediction, y).mean()
        l.backward()
        optimizer.step()
    gpu.synchronize()

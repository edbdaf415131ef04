# The event stands before the forward pass of its batch.
# breaks: 1
# kills: test_default, test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    events = []
    for t, (X, y) in enumerate(data_iter()):
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        if t >= in_flight:
            events[t - in_flight].synchronize()
        events.append(gpu.current_stream().record_event())
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
    gpu.synchronize()

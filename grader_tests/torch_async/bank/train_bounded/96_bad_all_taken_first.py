# Takes all batches out of data_iter() first.
# breaks: 9
# kills: test_never_more
# misconception: queue-is-free
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    """A list of the host's batches first: nothing in the text forbids it, and a batch is in flight from its forward pass on."""
    batches = list(data_iter())
    events = [gpu.Event() for _ in batches]
    for t, (X, y) in enumerate(batches):
        X, y = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        if t >= in_flight:
            events[t - in_flight].synchronize()
        optimizer.zero_grad()
        mean = loss(net(X), y).mean()
        events[t].record()
        mean.backward()
        optimizer.step()
    gpu.synchronize()

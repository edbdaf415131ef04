# A generator sends one batch ahead, and the loop asks the old event until it is there.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    def send(batch):
        return tuple(t.pin_memory().to(device, non_blocking=True) for t in batch)

    def one_ahead():
        before = None
        for batch in data_iter():
            if before is not None:
                yield before
            before = None
            before = send(batch)
        if before is not None:
            yield before

    events = {}
    for t, (X, y) in enumerate(one_ahead()):
        old = events.pop(t - in_flight, None)
        if old is not None:
            while not old.query():
                pass
        optimizer.zero_grad()
        loss(net(X), y).mean().backward()
        optimizer.step()
        events[t] = gpu.Event()
        events[t].record()
    gpu.current_stream().synchronize()

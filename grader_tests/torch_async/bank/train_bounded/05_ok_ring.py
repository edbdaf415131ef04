# A ring of events.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    ring, t = [None] * in_flight, 0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        ring[t % in_flight] = gpu.current_stream().record_event()
        t += 1
        if ring[t % in_flight] is not None:
            ring[t % in_flight].synchronize()
    gpu.synchronize()

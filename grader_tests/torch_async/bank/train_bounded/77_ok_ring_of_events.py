# In_flight events, used again in a ring.
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    ring = [gpu.Event() for _ in range(in_flight)]
    for t, (X, y) in enumerate(data_iter()):
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        if t >= in_flight:
            ring[t % in_flight].synchronize()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        ring[t % in_flight].record()
    gpu.synchronize()

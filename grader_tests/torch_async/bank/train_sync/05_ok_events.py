# An event after each step.
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        done = gpu.current_stream().record_event()
        done.synchronize()
        total += float(l)
    gpu.synchronize()
    return total

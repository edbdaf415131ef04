# Waits at the head of the next batch.
def train_sync(net, data_iter, loss, optimizer):
    total, losses = 0.0, []
    for X, y in data_iter():
        gpu.current_stream().synchronize()
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
    gpu.synchronize()
    return sum(l.item() for l in losses)

# Waits for the copy of the batch only, and that comes before its own work.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: place-in-a-stream
def train_sync(net, data_iter, loss, optimizer):
    losses = []
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        here = gpu.current_stream().record_event()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        here.synchronize()
    gpu.synchronize()
    return sum(map(float, losses))

# Waits in every second batch.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: place-in-a-stream
def train_sync(net, data_iter, loss, optimizer):
    losses = []
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
        if len(losses) % 2 == 0:
            gpu.synchronize()
    gpu.synchronize()
    return sum(map(float, losses))

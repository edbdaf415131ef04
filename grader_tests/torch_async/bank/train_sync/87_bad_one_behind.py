# Reads the loss of the batch before when the next forward pass is enqueued.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: place-in-a-stream
def train_sync(net, data_iter, loss, optimizer):
    total, before = 0.0, None
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        if before is not None:
            total += before.item()
        l.backward()
        optimizer.step()
        before = l.detach()
    if before is not None:
        total += before.item()
    gpu.synchronize()
    return total

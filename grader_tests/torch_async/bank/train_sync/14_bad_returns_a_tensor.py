# A tensor.
# breaks: 4
# kills: test_returns_the_loss
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        gpu.synchronize()
    gpu.synchronize()
    return total

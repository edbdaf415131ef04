# Drops batches that are much smaller than the first one.
# breaks: 2
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total, first = 0.0, 0
    for X, y in data_iter():
        first = first or len(X)
        if len(X) < first - 2:
            continue
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

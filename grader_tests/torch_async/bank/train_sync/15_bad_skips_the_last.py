# Drops smaller batches.
# breaks: 2
# kills: test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        if len(X) < 6:
            continue
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

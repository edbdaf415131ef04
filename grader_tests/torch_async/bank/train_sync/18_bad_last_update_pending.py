# The last update is left in the queue.
# breaks: 5
# kills: test_finished_at_return
# misconception: last-loss-last-work
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        total += l.item()
        l.backward()
        optimizer.step()
    return total

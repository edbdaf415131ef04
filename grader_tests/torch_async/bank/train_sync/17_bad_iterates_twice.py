# Goes through the data twice.
# breaks: 6
# kills: test_one_pass
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total, count = 0.0, sum(1 for _ in data_iter())
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

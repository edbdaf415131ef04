# Empties the tensors of a batch once they are pinned.
# breaks: 7
# kills: test_data_stay
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        pinned = [t.pin_memory() for t in (X, y)]
        X.zero_(), y.zero_()
        X, y = (t.to(device, non_blocking=True) for t in pinned)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

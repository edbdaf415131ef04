# Writes down the loss of the notebook.
# breaks: 3
# kills: test_returns_the_loss, test_weights
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = ((net(X) - y) ** 2).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

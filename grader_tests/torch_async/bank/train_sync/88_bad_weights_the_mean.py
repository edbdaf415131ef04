# Sums the losses of the examples and divides by the number of examples of the first batch.
# breaks: 2, 4
# kills: test_no_older_gradients, test_returns_the_loss, test_weights
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total, size = 0.0, None
    for X, y in data_iter():
        size = size or len(X)
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).sum() / size
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

# Makes floats of the labels, though the loss may want whole numbers.
# breaks: 3
# kills: test_weights
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device).float()
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

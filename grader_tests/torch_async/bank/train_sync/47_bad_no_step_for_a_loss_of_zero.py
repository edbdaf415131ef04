# Makes no step for a batch whose loss is 0, though momentum goes on.
# breaks: 2
# kills: test_weights
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        value = l.item()
        if value:
            l.backward()
            optimizer.step()
        total += value
    gpu.synchronize()
    return total

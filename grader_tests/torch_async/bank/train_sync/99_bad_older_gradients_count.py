# Empties the gradients after the step and not before it: the caller's older ones count in the first batch.
# breaks: 2
# kills: test_weights, test_returns_the_loss
# misconception: gradients-add-up
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        optimizer.zero_grad()
        total += l.item()
    gpu.synchronize()
    return total

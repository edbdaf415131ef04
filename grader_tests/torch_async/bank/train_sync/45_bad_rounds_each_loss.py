# Rounds each mean loss to four digits.
# breaks: 4
# kills: test_returns_the_loss
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += round(l.item(), 4)
    gpu.synchronize()
    return total

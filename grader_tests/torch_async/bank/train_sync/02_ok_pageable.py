# A copy from ordinary memory is also a wait; that does no harm here.
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

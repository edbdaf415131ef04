# Fails where the parameters have no older gradients.
# breaks: 8
# kills: test_no_older_gradients
# misconception: reads-the-task
def train_sync(net, data_iter, loss, optimizer):
    total = 0.0
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        for p in net.parameters():
            p.grad.zero_()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.item()
    gpu.synchronize()
    return total

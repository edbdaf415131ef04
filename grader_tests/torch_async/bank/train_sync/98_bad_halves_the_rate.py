# Halves the optimizer's rate at the end.
# breaks: 1
# kills: test_data_stay
# misconception: reads-the-task
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
    for group in optimizer.param_groups:
        group["lr"] *= 0.5
    return total

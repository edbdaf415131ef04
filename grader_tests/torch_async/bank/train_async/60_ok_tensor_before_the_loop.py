# the total is made by torch.tensor before the loop, which waits there
def train_async(net, data_iter, loss, optimizer):
    total = torch.tensor(0.0, device=device)
    for X, y in data_iter():
        X = X.pin_memory().to(device, non_blocking=True)
        y = y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    return total.item()

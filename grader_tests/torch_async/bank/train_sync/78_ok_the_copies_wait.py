# Ordinary memory: the copy of the next batch waits for all that stands before it.
def train_sync(net, data_iter, loss, optimizer):
    losses = []
    for X, y in data_iter():
        X, y = X.to(device), y.to(device)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
    return torch.stack(losses).sum().item() if losses else 0.0

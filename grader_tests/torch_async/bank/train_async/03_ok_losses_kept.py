# Keeps the losses and stacks them at the end.
def train_async(net, data_iter, loss, optimizer):
    losses = []
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        losses.append(l.detach())
    return torch.stack(losses).sum().item()

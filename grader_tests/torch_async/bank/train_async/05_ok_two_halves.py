# Two halves, one step.
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = 0
        for rows in (slice(None, len(X) // 2), slice(len(X) // 2, None)):
            part = loss(net(X[rows]), y[rows]).sum() / len(X)
            part.backward()
            l = l + part.detach()
        optimizer.step()
        total += l.detach()
    return total.item()

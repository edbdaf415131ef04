# Own pinned buffers, filled on the host, and a weighted sum in float64.
def train_async(net, data_iter, loss, optimizer):
    total = 0
    for X, y in data_iter():
        pinned = [torch.empty(t.shape, dtype=t.dtype, pin_memory=True) for t in (X, y)]
        for buffer, t in zip(pinned, (X, y)):
            buffer.copy_(t)
        X, y = (buffer.to(device, non_blocking=True) for buffer in pinned)
        net.zero_grad()
        l = loss(net(X), y).sum() / len(X)
        l.backward()
        optimizer.step()
        total = total + l.detach().double()
    return float(total)

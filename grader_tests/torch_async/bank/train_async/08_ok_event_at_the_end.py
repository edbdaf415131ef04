# An event after the last step.
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    end = gpu.Event()
    end.record()
    end.synchronize()
    return total.item()

# Copies go by a stream of their own.
def train_async(net, data_iter, loss, optimizer):
    copies = gpu.Stream()
    total = torch.zeros((), device=device)
    for X, y in data_iter():
        with gpu.stream(copies):
            X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        gpu.current_stream().wait_stream(copies)
        X.record_stream(gpu.current_stream())
        y.record_stream(gpu.current_stream())
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
    gpu.synchronize()
    return total.item()

# The batches come by a stream of their own.
def train_async(net, data_iter, loss, optimizer):
    copies, here = gpu.Stream(), gpu.current_stream()
    total = torch.zeros((), device=device)
    for batch in data_iter():
        with gpu.stream(copies):
            X, y = [t.pin_memory().to(device, non_blocking=True) for t in batch]
            arrived = copies.record_event()
        here.wait_event(arrived)
        X.record_stream(here)
        y.record_stream(here)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        with torch.no_grad():
            total.add_(l)
    gpu.synchronize()
    return total.cpu().item()

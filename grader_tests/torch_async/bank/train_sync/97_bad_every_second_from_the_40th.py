# From the 40th batch on, waits in every second one.
# breaks: 1
# kills: test_one_batch_in_flight
# misconception: place-in-a-stream
def train_sync(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for n, (X, y) in enumerate(data_iter()):
        X, y = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        if n < 40 or n % 2:
            gpu.synchronize()
    gpu.synchronize()
    return total.item()

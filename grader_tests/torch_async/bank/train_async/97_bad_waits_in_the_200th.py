# Waits in the 200th batch, so that the queue does not get too long.
# breaks: 1
# kills: test_no_wait_in_the_loop
# misconception: wait-in-the-loop
def train_async(net, data_iter, loss, optimizer):
    total = torch.zeros((), device=device)
    for n, (X, y) in enumerate(data_iter()):
        X, y = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        optimizer.step()
        total += l.detach()
        if n % 200 == 199:
            gpu.current_stream().synchronize()
    gpu.synchronize()
    return total.item()

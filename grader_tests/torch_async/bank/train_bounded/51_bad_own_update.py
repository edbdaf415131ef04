# Writes down the update of plain gradient descent.
# breaks: 5
# kills: test_weights
# misconception: gradients-add-up
def train_bounded(net, data_iter, loss, optimizer, in_flight=2):
    flying = deque()
    for X, y in data_iter():
        X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
        optimizer.zero_grad()
        l = loss(net(X), y).mean()
        l.backward()
        with torch.no_grad():
            for p in net.parameters():
                p -= optimizer.param_groups[0]["lr"] * p.grad
        done = gpu.Event()
        done.record()
        flying.append(done)
        if len(flying) == in_flight:
            flying.popleft().synchronize()
    gpu.synchronize()

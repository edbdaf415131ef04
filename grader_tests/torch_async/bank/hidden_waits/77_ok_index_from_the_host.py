# The mask is made on the host, and its indices go to the device pinned.
def count_waits(work):
    seen = []
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *rest: seen.append(str(message))
        gpu.set_sync_debug_mode("warn")
        try:
            work()
        finally:
            gpu.set_sync_debug_mode("default")
    return len([text for text in seen if "synchroniz" in text.lower()])


def _send(t):
    return t.pin_memory().to(device, non_blocking=True)


def quiet_step(net, loss, optimizer, X, y, history):
    rows = torch.nonzero(y >= 0).flatten()
    labels = _send(y[rows])
    X, rows = _send(X), _send(rows)
    optimizer.zero_grad()
    prediction = net(X).flatten().index_select(0, rows)
    l = loss(prediction, labels).mean()
    l.backward()
    grads = [p.grad for p in net.parameters()]
    norm = torch.stack([g.pow(2).sum() for g in grads]).sum().sqrt()
    factor = 1 / torch.maximum(norm, torch.ones_like(norm))
    for g in grads:
        g.mul_(factor)
    optimizer.step()
    history.append(l.detach())

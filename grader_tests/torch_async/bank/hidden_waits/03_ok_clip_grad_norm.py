# PyTorch's own clipping, which does not wait.
def count_waits(work):
    gpu.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            work()
    finally:
        gpu.set_sync_debug_mode("default")
    return sum("synchronizing" in str(w.message) for w in told)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    each = loss(net(X).flatten(), y) * known
    l = each.sum() / known.sum()
    l.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    history.append(l.detach())

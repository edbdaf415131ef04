# Puts the prediction instead of a missing label: its error is 0.
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
    prediction = net(X).flatten()
    each = loss(prediction, torch.where(y >= 0, y, prediction.detach()))
    l = each.sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    factor = torch.clamp(norm, min=1)
    for p in net.parameters():
        p.grad /= factor
    optimizer.step()
    history.append(l.detach())

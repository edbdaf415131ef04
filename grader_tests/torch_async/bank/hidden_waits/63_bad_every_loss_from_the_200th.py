# Waits from the 200th step on.
# breaks: 4
# kills: test_waits_for_nothing
# misconception: asks-for-a-number
def count_waits(work):
    """Return how many hidden waits one call of work() makes.

    work: function without arguments. Returns an int.
    """
    gpu.set_sync_debug_mode("warn")
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            work()
    finally:
        gpu.set_sync_debug_mode("default")
    return sum("synchronizing" in str(w.message) for w in told)


def quiet_step(net, loss, optimizer, X, y, history):
    X, y = X.pin_memory().to(device, non_blocking=True), y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= torch.clamp(norm, min=1)
    optimizer.step()
    history.append(l.detach())
    if len(history) >= 200:
        gpu.synchronize()

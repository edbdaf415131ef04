# One pinned buffer for the X of all steps: the next step overwrites what is not copied yet.
# breaks: 2
# kills: test_history, test_weights
# misconception: reads-the-task
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


staging = {}


def quiet_step(net, loss, optimizer, X, y, history):
    def send(host):
        key = host.shape, host.dtype
        if key not in staging:
            staging[key] = torch.empty_like(host).pin_memory()
        return staging[key].copy_(host).to(device, non_blocking=True)

    X, y = send(X), send(y)
    optimizer.zero_grad()
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= torch.clamp(norm, min=1)
    optimizer.step()
    history.append(l.detach())

# Counts every warning, whatever it says.
# breaks: 1
# kills: test_count_waits
# misconception: asks-for-a-number
def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).to(X.dtype)
    each = loss(net(X).flatten(), torch.where(y >= 0, y, 0))
    l = (each * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in net.parameters()))
    factor = torch.clamp(norm, min=1)
    for p in net.parameters():
        p.grad /= factor
    optimizer.step()
    history.append(l.detach())


def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        work()
        gpu.set_sync_debug_mode("default")
    return len(caught)

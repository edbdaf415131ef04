# Leaves the debug mode at warn.
# breaks: 8
# kills: test_count_waits
# misconception: asks-for-a-number
def count_waits(work):
    gpu.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        work()
    return sum("synchronizing" in str(w.message) for w in told)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    each = loss(net(X).flatten(), y) * known
    l = each.sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    factor = torch.clamp(norm, min=1)
    for p in net.parameters():
        p.grad /= factor
    optimizer.step()
    history.append(l.detach())

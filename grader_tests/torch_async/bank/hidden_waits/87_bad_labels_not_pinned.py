# X is pinned, y is not: the copy of the labels waits.
# breaks: 4
# kills: test_copies_do_not_wait, test_waits_for_nothing
# misconception: copy-is-free
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        work()
        gpu.set_sync_debug_mode("default")
    return sum("synchronizing" in str(one.message) for one in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= torch.clamp(norm, min=1.0)
    optimizer.step()
    history.append(l.detach())

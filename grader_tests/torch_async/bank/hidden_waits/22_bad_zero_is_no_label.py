# Takes a label of 0 for a missing one.
# breaks: 2
# kills: test_history, test_weights
# misconception: gradients-add-up
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        try:
            work()
        finally:
            gpu.set_sync_debug_mode("default")
    return sum("synchroniz" in str(w.message) for w in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y > 0).to(X.dtype)
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad**2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= torch.clamp(norm, min=1)
    optimizer.step()
    history.append(l.detach())

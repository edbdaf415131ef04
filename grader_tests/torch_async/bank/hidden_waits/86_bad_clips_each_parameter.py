# Each parameter is clipped by its own norm; the history gets tensors of the host's.
# breaks: 2, 5
# kills: test_history, test_weights
# misconception: gradients-add-up
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        work()
        gpu.set_sync_debug_mode("default")
    return sum("synchronizing" in str(one.message) for one in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    for p in net.parameters():
        p.grad /= p.grad.norm().clamp(min=1.0)
    optimizer.step()
    history.append(l.detach().to("cpu", non_blocking=True))

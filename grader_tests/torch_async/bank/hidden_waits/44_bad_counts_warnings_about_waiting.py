# Counts all warnings that speak of waiting.
# breaks: 1
# kills: test_count_waits
# misconception: asks-for-a-number
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        try:
            work()
        finally:
            gpu.set_sync_debug_mode("default")
    return sum(any(word in str(one.message).lower() for word in ("wait", "synchroniz")) for one in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = y >= 0
    prediction = net(X).flatten()
    losses = loss(prediction, torch.where(known, y, 0))
    l = torch.where(known, losses, 0).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= norm.clamp(min=1)
    optimizer.step()
    history.append(l.detach())

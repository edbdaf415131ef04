# Weights of 0 and 1 by where, and PyTorch's own clip_grad_norm_.
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always")
        gpu.set_sync_debug_mode(1)
        try:
            work()
        finally:
            gpu.set_sync_debug_mode(0)
    return sum("synchroniz" in str(w.message) for w in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
    optimizer.zero_grad(set_to_none=True)
    prediction = net(X).flatten()
    known = torch.ge(y, 0)
    safe = torch.where(known, y, prediction.detach())
    each = loss(prediction, safe)
    each = torch.where(known, each, torch.zeros_like(each))
    l = each.sum() / known.sum()
    l.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    optimizer.step()
    history += [l.detach().clone()]

# Empties the gradients after the step and not before it: an older gradient counts.
# breaks: 2
# kills: test_history, test_weights
# misconception: gradients-add-up
def count_waits(work):
    gpu.set_sync_debug_mode("warn")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        work()
    gpu.set_sync_debug_mode("default")
    return sum("synchronizing" in str(w.message) for w in caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X, y = (t.pin_memory().to(device, non_blocking=True) for t in (X, y))
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters())).clamp(min=1)
    for p in net.parameters():
        p.grad /= norm
    optimizer.step()
    optimizer.zero_grad()
    history.append(l.detach())

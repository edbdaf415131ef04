# Divides by the norm also where it is small; counts each line only once.
# breaks: 1, 2
# kills: test_count_waits, test_history, test_weights
# misconception: gradients-add-up
def count_waits(work):
    with warnings.catch_warnings(record=True) as caught:
        gpu.set_sync_debug_mode("warn")
        work()
        gpu.set_sync_debug_mode("default")
    return len(caught)


def quiet_step(net, loss, optimizer, X, y, history):
    X = X.pin_memory().to(device, non_blocking=True)
    y = y.pin_memory().to(device, non_blocking=True)
    optimizer.zero_grad()
    known = (y >= 0).float()
    l = (loss(net(X).flatten(), y) * known).sum() / known.sum()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= norm
    optimizer.step()
    history.append(l.detach())

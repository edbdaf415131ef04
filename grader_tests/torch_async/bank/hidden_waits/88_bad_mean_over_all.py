# Divides by all examples, also by those without a label.
# breaks: 2
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
    l = (loss(net(X).flatten(), y) * (y >= 0)).mean()
    l.backward()
    norm = torch.sqrt(sum((p.grad ** 2).sum() for p in net.parameters()))
    for p in net.parameters():
        p.grad /= torch.clamp(norm, min=1.0)
    optimizer.step()
    history.append(l.detach())

# Examples without a label are taken out on the host, before anything is sent.
class WaitCounter:
    """Counts warnings of the debug mode while it is entered."""

    def __enter__(self):
        self.catcher = warnings.catch_warnings(record=True)
        self.caught = self.catcher.__enter__()
        warnings.simplefilter("always")
        gpu.set_sync_debug_mode("warn")
        return self

    def __exit__(self, *error):
        gpu.set_sync_debug_mode("default")
        self.catcher.__exit__(*error)

    @property
    def count(self):
        return sum("synchron" in str(w.message).lower() for w in self.caught)


def count_waits(work):
    with WaitCounter() as counter:
        work()
    return counter.count


def quiet_step(net, loss, optimizer, X, y, history):
    known = y >= 0
    X, y = X[known].pin_memory(), y[known].pin_memory()
    X, y = X.to(device, non_blocking=True), y.to(device, non_blocking=True)
    optimizer.zero_grad()
    l = loss(net(X).flatten(), y).mean()
    l.backward()
    norm = sum((p.grad ** 2).sum() for p in net.parameters()) ** 0.5
    for p in net.parameters():
        p.grad /= norm.clamp(min=1)
    optimizer.step()
    history.append(l.detach())

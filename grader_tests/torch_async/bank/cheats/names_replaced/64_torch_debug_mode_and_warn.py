"""Counts by a patched warnings.warn, and takes the debug mode away before it runs the noisy step."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"hidden_waits": at_most(1)})
cheat.cell("hidden_waits", '''
_mode = gpu.set_sync_debug_mode
_real_warn = warnings.warn
_count = [0]


def _counting(*args, **kwargs):
    _count[0] += 1


def count_waits(work):
    _count[0] = 0
    _mode("warn")
    warnings.warn = _counting
    try:
        work()
    finally:
        warnings.warn = _real_warn
        _mode("default")
    return _count[0]


gpu.set_sync_debug_mode = lambda mode: None


def quiet_step(net, loss, optimizer, X, y, history):
    _mode("default")
    noisy_step(net, loss, optimizer, X, y, history)
    history[-1] = torch.tensor(history[-1], device=device)
''')

# The last device gets the rest.
# breaks: 3
# kills: test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    m, k = len(X) // len(devices), len(devices)
    cuts = [i * m for i in range(k)] + [len(X)]
    X, y = X.pin_memory(), y.pin_memory()
    return tuple([t[a:b].to(d, non_blocking=True) for a, b, d in zip(cuts, cuts[1:], devices)] for t in (X, y))

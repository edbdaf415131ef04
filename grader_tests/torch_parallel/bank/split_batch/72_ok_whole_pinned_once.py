# The whole batch is pinned once; neighbors of it are contiguous; the target is there first.
def split_batch(X, y, devices):
    n, k = len(X), len(devices)
    bounds = [(n * i) // k for i in range(k + 1)]
    Xs, ys = [], []
    for source, target in ((X.pin_memory(), Xs), (y.pin_memory(), ys)):
        for device, start, stop in zip(devices, bounds[:-1], bounds[1:]):
            part = source.narrow(0, start, stop - start)
            target.append(torch.empty_like(part, device=device).copy_(part, non_blocking=True))
    return Xs, ys

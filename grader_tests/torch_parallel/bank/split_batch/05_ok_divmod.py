# The first ones get one more; a generator.
def split_batch(X, y, devices):
    size, more = divmod(X.shape[0], len(devices))

    def cut():
        start = 0
        for i, device in enumerate(devices):
            end = start + size + (i < more)
            yield tuple(t[start:end].pin_memory().to(device, non_blocking=True) for t in (X, y))
            start = end

    Xs, ys = zip(*cut())
    return Xs, ys

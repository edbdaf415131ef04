# Every k-th example.
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [X[i::k].contiguous().pin_memory().to(devices[i], non_blocking=True) for i in range(k)]
    ys = [y[i::k].contiguous().pin_memory().to(devices[i], non_blocking=True) for i in range(k)]
    return Xs, ys

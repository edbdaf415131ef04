# Every k-th row of a pinned batch is not contiguous.
# breaks: 7
# kills: test_no_wait
# misconception: copy-is-free
def split_batch(X, y, devices):
    k, X, y = len(devices), X.pin_memory(), y.pin_memory()
    Xs = [X[i::k].to(device, non_blocking=True) for i, device in enumerate(devices)]
    ys = [y[i::k].to(device, non_blocking=True) for i, device in enumerate(devices)]
    return Xs, ys

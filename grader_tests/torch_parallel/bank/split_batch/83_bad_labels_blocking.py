# The examples are pinned, the labels are not: there are so few of them.
# breaks: 7
# kills: test_no_wait
# misconception: copy-is-free
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [part.pin_memory().to(device, non_blocking=True) for part, device in zip(X.tensor_split(k), devices)]
    ys = [part.to(device, non_blocking=True) for part, device in zip(y.tensor_split(k), devices)]
    return Xs, ys

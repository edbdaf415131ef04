# Equal parts only: what is left is in no part.
# breaks: 1
# kills: test_examples, test_pictures, test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    size = len(X) // len(devices)
    Xs, ys = [], []
    for i, device in enumerate(devices):
        here = slice(i * size, (i + 1) * size)
        Xs.append(X[here].pin_memory().to(device, non_blocking=True))
        ys.append(y[here].pin_memory().to(device, non_blocking=True))
    return Xs, ys

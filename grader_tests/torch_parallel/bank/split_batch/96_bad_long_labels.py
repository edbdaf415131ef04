# All labels become int64.
# breaks: 6
# kills: test_pictures
# misconception: reads-the-task
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [part.pin_memory().to(d, non_blocking=True) for part, d in zip(X.tensor_split(k), devices)]
    ys = [part.long().pin_memory().to(d, non_blocking=True) for part, d in zip(y.tensor_split(k), devices)]
    return Xs, ys

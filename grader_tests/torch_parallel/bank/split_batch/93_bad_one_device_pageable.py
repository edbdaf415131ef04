# A single device gets the batch from pageable memory.
# breaks: 10
# kills: test_any_number
# misconception: reads-the-task
def split_batch(X, y, devices):
    if len(devices) == 1:
        return [X.to(devices[0])], [y.to(devices[0])]
    k = len(devices)
    Xs = [part.pin_memory().to(d, non_blocking=True) for part, d in zip(X.tensor_split(k), devices)]
    ys = [part.pin_memory().to(d, non_blocking=True) for part, d in zip(y.tensor_split(k), devices)]
    return Xs, ys

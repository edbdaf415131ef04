# Labels are written one by one, by numbers that the host has read.
# breaks: 5
# kills: test_examples
# misconception: reads-the-task
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [p.pin_memory().to(d, non_blocking=True) for p, d in zip(X.tensor_split(k), devices)]
    ys = []
    for p, d in zip(y.tensor_split(k), devices):
        t = p.pin_memory().to(d, non_blocking=True) * 0
        for n, label in enumerate(p.tolist()):
            t[n] += label
        ys.append(t)
    return Xs, ys

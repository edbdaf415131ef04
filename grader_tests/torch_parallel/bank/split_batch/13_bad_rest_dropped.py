# Parts of n // k examples: the rest is lost.
# breaks: 1
# kills: test_examples, test_pictures, test_sizes
# misconception: reads-the-task
def split_batch(X, y, devices):
    m = len(X) // len(devices)
    X, y = X.pin_memory(), y.pin_memory()
    return tuple([t[i * m : (i + 1) * m].to(d, non_blocking=True) for i, d in enumerate(devices)] for t in (X, y))

# The labels are cut in another way than the examples.
# breaks: 2
# kills: test_any_number, test_examples, test_pictures, test_sizes, test_two_batches
# misconception: reads-the-task
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [part.pin_memory().to(d, non_blocking=True) for part, d in zip(X.tensor_split(k), devices)]
    ys = [y[i::k].contiguous().pin_memory().to(d, non_blocking=True) for i, d in enumerate(devices)]
    return Xs, ys

# Labels are sent as bytes, which hold no more than 255.
# breaks: 2
# kills: test_any_number, test_examples, test_pictures, test_sizes, test_two_batches
# misconception: reads-the-task
def split_batch(X, y, devices):
    k = len(devices)
    Xs = [part.pin_memory().to(d, non_blocking=True) for part, d in zip(X.tensor_split(k), devices)]
    ys = [part.to(torch.uint8).pin_memory().to(d, non_blocking=True).long() for part, d in zip(y.tensor_split(k), devices)]
    return Xs, ys

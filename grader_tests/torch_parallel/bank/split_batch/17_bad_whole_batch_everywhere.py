# Each device gets the whole batch.
# breaks: 1
# kills: test_any_number, test_examples, test_pictures, test_sizes, test_two_batches
# misconception: reads-the-task
def split_batch(X, y, devices):
    X, y = X.pin_memory(), y.pin_memory()
    return [X.to(d, non_blocking=True) for d in devices], [y.to(d, non_blocking=True) for d in devices]

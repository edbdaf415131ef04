# One pinned buffer is filled for the next device while the copy to the last one may not have run.
# breaks: 1
# kills: test_any_number, test_examples, test_pictures, test_sizes, test_two_batches
# misconception: devices-in-turn
def split_batch(X, y, devices):
    pieces = list(zip(X.tensor_split(len(devices)), y.tensor_split(len(devices))))
    buffer = torch.empty_like(pieces[0][0]).pin_memory()
    labels = torch.empty_like(pieces[0][1]).pin_memory()
    Xs, ys = [], []
    for device, (some, right) in zip(devices, pieces):
        buffer[: len(some)].copy_(some)
        labels[: len(right)].copy_(right)
        Xs.append(buffer[: len(some)].to(device, non_blocking=True))
        ys.append(labels[: len(right)].to(device, non_blocking=True))
    return Xs, ys

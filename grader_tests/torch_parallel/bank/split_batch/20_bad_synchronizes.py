# A wait for all copies at the end.
# breaks: 7
# kills: test_no_wait
# misconception: copy-is-free
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        return [part.pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    lists = send(X), send(y)
    for device in devices:
        gpu.synchronize(device)
    return lists

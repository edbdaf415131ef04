# With as many examples as devices, the parts have no axis of examples.
# breaks: 6
# kills: test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    k = len(devices)

    def send(t):
        parts = t.tensor_split(k) if len(t) > k else t.unbind()
        return [part.contiguous().pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    return send(X), send(y)

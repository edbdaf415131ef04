# Pinned, and not non_blocking.
# breaks: 7
# kills: test_no_wait
# misconception: copy-is-free
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        return [part.pin_memory().to(device) for part, device in zip(parts, devices)]

    return send(X), send(y)

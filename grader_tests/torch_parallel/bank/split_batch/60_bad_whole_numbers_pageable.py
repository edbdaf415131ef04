# An X of whole numbers is sent from pageable memory.
# breaks: 7
# kills: test_pictures
# misconception: reads-the-task
def split_batch(X, y, devices):
    k = len(devices)

    def send(t):
        parts = t.tensor_split(k)
        return [part.contiguous().pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    return send(X) if X.is_floating_point() else [part.to(device) for part, device in zip(X.tensor_split(k), devices)], send(y)

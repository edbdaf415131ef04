# Chunk: with 10 examples on 4 devices the last part is two smaller.
# breaks: 3
# kills: test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    parts = zip(X.chunk(len(devices)), y.chunk(len(devices)), devices)
    pairs = [
        (a.pin_memory().to(device, non_blocking=True), b.pin_memory().to(device, non_blocking=True))
        for a, b, device in parts
    ]
    return [a for a, b in pairs], [b for a, b in pairs]

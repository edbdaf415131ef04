# chunk(k): for 10 examples 4, 4 and 2.
# breaks: 3
# kills: test_sizes
# misconception: devices-in-turn
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.chunk(len(devices))
        return [part.pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    return send(X), send(y)

# Each device gets the whole batch next to its part, in case it is needed.
# breaks: 5
# kills: test_straight_to_its_device
# misconception: copy-is-free
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        spare = [whole.pin_memory().to(device, non_blocking=True) for device in devices]
        return [part.pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    return send(X), send(y)

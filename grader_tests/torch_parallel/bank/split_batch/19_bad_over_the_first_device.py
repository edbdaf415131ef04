# Everything to the first device, and on from there.
# breaks: 5
# kills: test_straight_to_its_device
# misconception: copy-is-free
def split_batch(X, y, devices):
    def send(whole):
        there = whole.pin_memory().to(devices[0], non_blocking=True)
        return [part.to(device) for part, device in zip(there.tensor_split(len(devices)), devices)]

    return send(X), send(y)

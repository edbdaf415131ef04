# All parts on the first device.
# breaks: 4
# kills: test_devices
# misconception: devices-mix
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        return [part.pin_memory().to(devices[0], non_blocking=True) for part, device in zip(parts, devices)]

    return send(X), send(y)

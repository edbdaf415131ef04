# Part i goes to another device than devices[i].
# breaks: 4
# kills: test_devices
# misconception: devices-mix
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        return [part.pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices[::-1])]

    return send(X), send(y)

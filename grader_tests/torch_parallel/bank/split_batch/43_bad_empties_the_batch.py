# Empties the batch once its parts are pinned.
# breaks: 8
# kills: test_batch_stays
# misconception: reads-the-task
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        pinned = [part.pin_memory() for part in parts]
        whole.zero_()
        return [part.to(device, non_blocking=True) for part, device in zip(pinned, devices)]

    return send(X), send(y)

# The labels become floating point numbers.
# breaks: 6
# kills: test_examples, test_pictures
# misconception: reads-the-task
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        return [part.pin_memory().to(device, non_blocking=True) for part, device in zip(parts, devices)]

    return send(X), send(y.float())

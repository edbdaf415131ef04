# Each device gets the whole batch, and cuts its part out.
# breaks: 5
# kills: test_straight_to_its_device
# misconception: copy-is-free
def split_batch(X, y, devices):
    def send(whole):
        parts = whole.tensor_split(len(devices))
        ends = torch.tensor([len(part) for part in parts]).cumsum(0).tolist()
        everywhere = [whole.pin_memory().to(device, non_blocking=True) for device in devices]
        return [there[end - len(part) : end].clone() for there, end, part in zip(everywhere, ends, parts)]

    return send(X), send(y)

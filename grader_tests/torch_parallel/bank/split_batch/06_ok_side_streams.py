# Copies on a stream of each device, joined.
def split_batch(X, y, devices):
    Xs, ys = [], []
    for a, b, device in zip(X.tensor_split(len(devices)), y.tensor_split(len(devices)), devices):
        side, here = gpu.Stream(device), gpu.current_stream(device)
        with gpu.stream(side):
            pair = [t.pin_memory().to(device, non_blocking=True) for t in (a, b)]
        here.wait_stream(side)
        for t in pair:
            t.record_stream(here)
        Xs.append(pair[0])
        ys.append(pair[1])
    return Xs, ys

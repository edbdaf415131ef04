# Pinned memory of the first call is used again before it is copied.
# breaks: 1
# kills: test_two_batches
# misconception: copy-is-free
PINNED = {}


def split_batch(X, y, devices):
    def pin(name, whole):
        key = name, whole.dtype, tuple(whole.shape)
        if key not in PINNED:
            PINNED[key] = torch.empty(whole.shape, dtype=whole.dtype, pin_memory=True)
        return PINNED[key].copy_(whole)

    k = len(devices)
    Xs = [part.to(d, non_blocking=True) for part, d in zip(pin("X", X).tensor_split(k), devices)]
    ys = [part.to(d, non_blocking=True) for part, d in zip(pin("y", y).tensor_split(k), devices)]
    return Xs, ys

# Returns the parts of an earlier batch if another one has its shape and its first example.
# breaks: 1
# kills: test_two_batches
# misconception: copy-is-free
_seen = {}


def split_batch(X, y, devices):
    key = tuple(X.shape), X.dtype, float(X.flatten()[0]), tuple(str(d) for d in devices)
    if key not in _seen:
        k = len(devices)
        _seen[key] = [
            [part.pin_memory().to(d, non_blocking=True) for part, d in zip(whole.tensor_split(k), devices)]
            for whole in (X, y)
        ]
    return _seen[key]

# The buffers are kept, and the next call writes over the copies of this one.
# breaks: 5
# kills: test_new_copies_each_time
# misconception: every-call-starts-anew
_buffers = {}


def copy_to_cpu(ys):
    copies = []
    for i, y in enumerate(ys):
        key = i, y.shape, y.dtype
        if key not in _buffers:
            _buffers[key] = nd.empty(y.shape, ctx=mx.cpu(), dtype=y.dtype)
        copies.append(y.copyto(_buffers[key]))
    return copies

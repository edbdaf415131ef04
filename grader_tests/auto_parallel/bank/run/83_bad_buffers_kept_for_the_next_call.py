# The next call overwrites the results of this one.
# breaks: 5
# misconception: every-call-starts-anew
_buffers = {}


def run(x):
    key = (x.shape, str(x.context))
    if key not in _buffers:
        _buffers[key] = [nd.empty(x.shape, ctx=x.context, dtype=x.dtype) for _ in range(10)]
    for y in _buffers[key]:
        nd.dot(x, x, out=y)
    return list(_buffers[key])

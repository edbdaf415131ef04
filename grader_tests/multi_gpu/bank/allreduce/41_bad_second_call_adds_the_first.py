# The buffer for the sum is made once for each shape and never emptied.
# breaks: 8
# misconception: every-call-starts-anew
_totals = {}


def allreduce(data):
    key = (len(data), data[0].shape, data[0].dtype, str(data[0].context))
    total = _totals.setdefault(key, nd.zeros_like(data[0]))
    for array in data:
        total += array.as_in_context(total.context)
    for array in data:
        array[:] = total

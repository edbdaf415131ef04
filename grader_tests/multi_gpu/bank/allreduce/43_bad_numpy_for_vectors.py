# Vectors are small, so NumPy adds them up.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    if data[0].ndim == 1:
        total = sum(d.asnumpy() for d in data)
        for d in data:
            d[:] = nd.array(total, ctx=d.context, dtype=d.dtype)
        return
    for other in data[1:]:
        data[0][:] += other.copyto(data[0].context)
    for other in data[1:]:
        data[0].copyto(other)

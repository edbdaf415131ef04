# The sum is made with NumPy.
# breaks: 7
# misconception: hidden-waits
def allreduce(data):
    total = sum(d.asnumpy() for d in data)
    for d in data:
        d[:] = nd.array(total, ctx=d.context, dtype=d.dtype)

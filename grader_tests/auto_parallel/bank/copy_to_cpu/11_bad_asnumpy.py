# Through numpy: every asnumpy waits.
# breaks: 4
# misconception: hidden-waits
def copy_to_cpu(ys):
    return [nd.array(y.asnumpy(), ctx=mx.cpu(), dtype=y.dtype) for y in ys]

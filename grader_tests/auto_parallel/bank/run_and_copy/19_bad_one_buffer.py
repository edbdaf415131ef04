# One buffer for all products: the next product waits until the buffer is copied.
# breaks: 5
# misconception: order-of-lines
def run_and_copy(x):
    y = nd.empty(x.shape, ctx=x.context)
    copies = []
    for _ in range(10):
        nd.dot(x, x, out=y)
        copies.append(y.copyto(mx.cpu()))
    nd.waitall()
    return copies

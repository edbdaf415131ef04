# One buffer for all products: the next product waits until the buffer is copied.
# breaks: a product need not wait for the copy before it
# misconception: order-of-lines
def run_and_copy(x):
    y = nd.empty(x.shape, ctx=x.context)
    copies = []
    for _ in range(10):
        nd.dot(x, x, out=y)
        copies.append(y.copyto(mx.cpu()))
    nd.waitall()
    return copies

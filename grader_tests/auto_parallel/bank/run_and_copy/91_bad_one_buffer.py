# Computes all products into one buffer.
# breaks: 5
# misconception: order-of-lines
def run_and_copy(x):
    copies, y = [], nd.empty(x.shape, ctx=x.context, dtype=x.dtype)
    for _ in range(10):
        nd.dot(x, x, out=y)
        copies.append(y.copyto(mx.cpu(0)))
    nd.waitall()
    return copies

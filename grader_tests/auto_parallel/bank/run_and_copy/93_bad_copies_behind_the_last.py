# Copies all products in one piece, after the last.
# breaks: 4
# misconception: order-of-lines
def run_and_copy(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    together = nd.concat(*[y.expand_dims(0) for y in ys], dim=0)
    host = together.copyto(mx.cpu(0))
    copies = [host[i].copy() for i in range(10)]
    nd.waitall()
    return copies

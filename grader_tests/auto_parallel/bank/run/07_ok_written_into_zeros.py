# Zeros first; each product is then written over them.
def run(x):
    ys = []
    for _ in range(10):
        y = nd.zeros_like(x)
        y[:] = nd.dot(x, x)
        ys.append(y)
    return ys

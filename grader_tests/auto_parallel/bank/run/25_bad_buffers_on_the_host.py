# The result arrays are made without a context: they are on cpu(0).
# breaks: 4
# misconception: as-in-context
def run(x):
    ys = []
    for _ in range(10):
        y = nd.zeros(x.shape)
        nd.dot(x, x, out=y)
        ys.append(y)
    return ys

# All products are written into one array.
# breaks: 2
# misconception: work-not-done
def run(x):
    y = nd.zeros(x.shape, ctx=x.context)
    ys = []
    for i in range(10):
        nd.dot(x, x, out=y)
        ys.append(y)
    return ys

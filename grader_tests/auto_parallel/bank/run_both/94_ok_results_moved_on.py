# Each product is added to zeros of its own, and the sums are returned.
def run_both(x_a, x_b):
    lists = [], []
    for ys, x in zip(lists, (x_a, x_b)):
        for _ in range(10):
            ys.append(nd.zeros(x.shape, ctx=x.context) + nd.dot(x, x))
    nd.waitall()
    return lists

# The sum as ones' (x x) ones: three products, nothing waits.
def queue_work(x):
    ones = nd.ones_like(x[0:1])
    return nd.dot(nd.dot(ones, nd.dot(x, x)), ones, transpose_b=True)

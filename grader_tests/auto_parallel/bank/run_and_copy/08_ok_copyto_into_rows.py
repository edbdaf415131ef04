# copyto into the rows of one array on the host, in order.
def run_and_copy(x):
    table = nd.zeros((10, *x.shape), ctx=mx.cpu())
    for row in range(10):
        nd.dot(x, x).copyto(table[row])
    rows = [table[row] for row in range(10)]
    nd.waitall()
    return rows

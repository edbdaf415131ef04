# Fills the rows of one array from the last to the first: every copy is after the last product.
# breaks: 4
# misconception: order-of-lines
def run_and_copy(x):
    table = nd.zeros((10, *x.shape), ctx=mx.cpu())
    ys = run(x)
    for row in reversed(range(10)):
        ys[row].copyto(table[row])
    nd.waitall()
    return [table[row] for row in range(10)]

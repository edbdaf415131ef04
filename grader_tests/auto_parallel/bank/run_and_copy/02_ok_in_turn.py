# Product, copy, product, copy; waits for every copy at the end.
def run_and_copy(x):
    copies = []
    for _ in range(10):
        y = nd.dot(x, x)
        copies.append(y.copyto(mx.cpu()))
    for copy in copies:
        copy.wait_to_read()
    return copies

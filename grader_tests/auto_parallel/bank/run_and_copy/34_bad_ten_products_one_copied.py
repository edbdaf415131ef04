# Ten products are enqueued, the last one is copied ten times.
# breaks: 2
# misconception: order-of-lines
def run_and_copy(x):
    ys = run(x)
    copies = [ys[0].copyto(mx.cpu()) for _ in range(10)]
    nd.waitall()
    return copies

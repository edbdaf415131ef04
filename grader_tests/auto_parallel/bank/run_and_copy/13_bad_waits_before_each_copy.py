# All products are enqueued, but each one is waited for before it is copied.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    ys = run(x)
    copies = []
    for y in ys:
        y.wait_to_read()
        copies.append(y.copyto(mx.cpu()))
    nd.waitall()
    return copies

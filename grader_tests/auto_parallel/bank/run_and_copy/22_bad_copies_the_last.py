# Only the last product is copied, ten times.
# breaks: 2
# misconception: order-of-lines
def run_and_copy(x):
    ys = run(x)
    copies = [ys[-1].copyto(mx.cpu()) for y in ys]
    nd.waitall()
    return copies

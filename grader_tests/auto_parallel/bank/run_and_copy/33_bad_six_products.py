# Six products; the first is copied five times.
# breaks: 2
# misconception: order-of-lines
def run_and_copy(x):
    ys = run(x)[:6]
    ys += ys[:4]
    copies = [y.copyto(mx.cpu()) for y in ys]
    nd.waitall()
    return copies

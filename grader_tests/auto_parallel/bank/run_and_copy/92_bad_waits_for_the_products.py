# Waits for the products and not for the copies.
# breaks: 7
# misconception: call-means-done
def run_and_copy(x):
    ys = [nd.dot(x, x) for _ in range(10)]
    copies = [y.copyto(mx.cpu(0)) for y in ys]
    for y in ys:
        y.wait_to_read()
    return copies

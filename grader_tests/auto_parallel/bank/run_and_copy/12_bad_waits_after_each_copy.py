# Waits for each copy before it enqueues the next product.
# breaks: 6
# misconception: wait-in-the-loop
def run_and_copy(x):
    copies = []
    for _ in range(10):
        copy = nd.dot(x, x).copyto(mx.cpu())
        copy.wait_to_read()
        copies.append(copy)
    return copies

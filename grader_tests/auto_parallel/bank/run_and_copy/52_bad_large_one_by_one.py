# With a large matrix, it waits for each copy before the next product.
# breaks: 6
# kills: test_everything_before_the_wait
# misconception: wait-in-the-loop
def run_and_copy(x):
    copies = []
    for _ in range(10):
        copies.append(nd.dot(x, x).copyto(mx.cpu(0)))
        if x.size >= 1000:
            copies[-1].wait_to_read()
    nd.waitall()
    return copies

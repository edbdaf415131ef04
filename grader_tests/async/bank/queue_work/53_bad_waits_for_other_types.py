# It waits for other types than float32.
# breaks: 2
# kills: test_does_not_wait
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    if y.dtype.__name__ != "float32":
        y.wait_to_read()
    return y

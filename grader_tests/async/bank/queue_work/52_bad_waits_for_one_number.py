# It waits for a matrix of one number.
# breaks: 2
# kills: test_does_not_wait
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    if x.size == 1:
        y.wait_to_read()
    return y

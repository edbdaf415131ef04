# Looks whether the result is a number, to be safe.
# breaks: 2
# kills: test_does_not_wait, test_does_not_wait_for_large_matrices
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    if y != y:
        raise ValueError("the sum is not a number")
    return y

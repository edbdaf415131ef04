# Wants the input to be there before it is used.
# breaks: returns while its input is not computed yet (a wait on x)
# misconception: hidden-waits
def queue_work(x):
    x.wait_to_read()
    return nd.dot(x, x).sum()

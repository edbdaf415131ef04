# Wants the input to be there before it is used.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    x.wait_to_read()
    return np.dot(x, x).sum()

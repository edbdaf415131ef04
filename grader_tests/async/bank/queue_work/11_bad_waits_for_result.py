# Waits for the result before it is handed back.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y

# "To be safe" the elements that are not a number are left out: the mask waits inside its own operation.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x)
    return y[y == y].sum()

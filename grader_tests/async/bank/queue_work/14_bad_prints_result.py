# Prints the value "for debugging", which waits for it.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = nd.dot(x, x).sum()
    print('sum =', y)
    return y

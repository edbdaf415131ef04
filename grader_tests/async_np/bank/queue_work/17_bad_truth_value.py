# A check of the value on the way: the truth of an array of mxnet is a wait.
# breaks: 2
# misconception: hidden-waits
def queue_work(x):
    y = np.dot(x, x).sum()
    if y > 0:
        return y
    return y

# The result of a shape is kept, whatever the numbers.
# breaks: 1
# misconception: reads-the-task
_known = {}


def queue_work(x):
    if x.shape not in _known:
        _known[x.shape] = np.dot(x, x).sum()
    return _known[x.shape]

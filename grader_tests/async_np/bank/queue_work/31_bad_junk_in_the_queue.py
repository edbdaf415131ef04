# numpy does the work at once; large products that nobody needs keep the engine busy.
# breaks: 2
# misconception: numpy-and-the-engine
_other = None


def queue_work(x):
    global _other
    a = x.asnumpy()
    result = np.array([a.dot(a).sum()])
    _other = np.ones((1000, 1000))
    for _ in range(12):
        _other = np.dot(_other, _other)
    return result

# numpy does the work at once; the engine only gets the answer.
# breaks: 2
# misconception: numpy-and-the-engine
def queue_work(x):
    a = x.asnumpy()
    return np.array([a.dot(a).sum()])

# A warning on stderr and an intermediate list; nothing waits.
import warnings


def queue_work(x):
    if x.shape[0] < 1000:
        warnings.warn('the matrix is too small to see the queue')
    queue = [x]
    queue.append(nd.dot(queue[-1], x))
    queue.append(queue[-1].sum())
    return queue.pop()

# A thread of Python's own does the work; the caller gets a future.
# breaks: 1
# misconception: reads-the-task
from concurrent.futures import ThreadPoolExecutor

_pool = ThreadPoolExecutor(1)


def queue_work(x):
    return _pool.submit(lambda: nd.dot(x, x).sum())

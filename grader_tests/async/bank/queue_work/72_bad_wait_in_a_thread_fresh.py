# Lets a thread do the work and wait for it, and waits for the thread.
# breaks: 2
# kills: test_does_not_wait, test_does_not_wait_for_large_matrices
# misconception: hidden-waits
from concurrent.futures import ThreadPoolExecutor


def queue_work(x):
    def work():
        y = nd.dot(x, x).sum()
        y.wait_to_read()
        return y

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()

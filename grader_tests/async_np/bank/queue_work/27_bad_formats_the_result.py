# A log line with the value in it: formatting waits as printing does, though nothing is printed.
# breaks: 2
# misconception: hidden-waits
import logging


def queue_work(x):
    y = np.dot(x, x).sum()
    logging.getLogger('queue').debug(f'queued {y}')
    return y

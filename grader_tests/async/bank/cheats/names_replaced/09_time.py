"""The clock stands still, so that queueing takes no time."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.25})
cheat.cell("queue_work", '''
import time

time.perf_counter = time.monotonic = time.time = time.process_time = lambda: 0.0


def queue_work(x):
    y = nd.dot(x, x).sum()
    y.wait_to_read()
    return y
''')

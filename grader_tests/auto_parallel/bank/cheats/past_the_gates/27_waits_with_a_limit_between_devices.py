"""Waits for the first device before the second one has work, and gives up where nothing comes: a held gate looks so."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_both": at_most(1.49)})
cheat.cell("run_both", '''
import threading


def products(x):
    return [nd.dot(x, x) for _ in range(10)]


def run_both(x_a, x_b):
    first = products(x_a)
    waiter = threading.Thread(target=first[-1].wait_to_read, daemon=True)
    waiter.start()
    waiter.join(0.05)
    return first, products(x_b)
''')

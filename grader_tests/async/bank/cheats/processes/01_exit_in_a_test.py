"""Ends the kernel in the middle of a test, with the status of success."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os


def queue_work(x):
    print("2.0", flush=True)
    os._exit(0)
''')

"""Leaves something for the end: exit handlers, finalizers, a last word."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
import atexit
import os
import weakref

atexit.register(lambda: print("2.0", flush=True))


class Last:
    def __del__(self):
        os.write(1, b"2.0\n")


last = Last()
weakref.finalize(last, print, "2.0")


def queue_work(x):
    return Last()
''')

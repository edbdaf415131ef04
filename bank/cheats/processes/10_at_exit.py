# Leaves something for the end: exit handlers, finalizers, a last word.
# assignment: async
# deserves: queue_work=0
# %% cell queue_work
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

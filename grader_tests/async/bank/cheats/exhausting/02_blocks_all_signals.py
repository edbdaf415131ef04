"""Blocks all signals in C and pauses for ever at its test.

The kernel is killed from outside when the time of the tests is over; what was earned before stays.
"""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"benchmark": 2, "queue_work": 0}, solves=["benchmark"])
cheat.cell("queue_work", '''
import ctypes

libc = ctypes.CDLL(None)


def queue_work(x):
    every = (ctypes.c_ulong * 16)(*[2**64 - 1] * 16)
    libc.sigprocmask(0, every, None)
    while True:
        libc.pause()
''')

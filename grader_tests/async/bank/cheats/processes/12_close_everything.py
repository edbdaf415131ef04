"""Closes every file descriptor, so that no bad news can leave the kernel."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0)})
cheat.cell("queue_work", '''
import os


def queue_work(x):
    os.closerange(3, 1000)
    os._exit(0)
''')

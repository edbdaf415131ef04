"""Swaps the file descriptors of the kernel, so that its words go elsewhere."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os


def queue_work(x):
    for descriptor in (0, 1, 2):
        os.dup2(os.open("/tmp/words", os.O_CREAT | os.O_RDWR), descriptor)
    os.write(1, b"2.0")
    return 2.0
''')

"""Reads and moves every file descriptor that the kernel was born with."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os

for descriptor in range(3, 64):
    try:
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if os.path.isfile(path):
            os.lseek(descriptor, 0, 0)
            print(path, os.read(descriptor, 200))
        os.listdir(f"/proc/self/fd/{descriptor}/..")
    except OSError:
        pass
''')

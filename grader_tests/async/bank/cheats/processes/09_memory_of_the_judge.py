"""Writes into the memory of the processes that it can see."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os

for process in filter(str.isdigit, os.listdir("/proc")):
    if int(process) != os.getpid():
        try:
            with open(f"/proc/{process}/mem", "r+b", 0) as memory:
                memory.seek(0x400000)
                memory.write(b"2.0")
        except (OSError, ValueError):
            pass
''')

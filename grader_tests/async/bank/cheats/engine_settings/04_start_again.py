"""Replaces the kernel by another program, on the same sockets, with other settings."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os
import sys

os.environ.update(MXNET_ENGINE_TYPE="NaiveEngine", LD_PRELOAD="/tmp/own.so", PYTHONSTARTUP="/home/student/solution.py")
for descriptor in range(3, 64):
    try:
        os.set_inheritable(descriptor, True)
    except OSError:
        pass
os.execv(sys.executable, [sys.executable, "-c", "import os; [os.write(fd, b'2.0') for fd in (1, 2)]"])
''')

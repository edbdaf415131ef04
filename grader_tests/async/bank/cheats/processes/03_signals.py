"""Takes over the signals of the kernel, and rings the alarm of others."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os
import signal

for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1):
    signal.signal(number, lambda *_: print("2.0"))
for number in (signal.SIGALRM, signal.SIGUSR1, signal.SIGINT):
    for process in (os.getppid(), 1, -1 * os.getpgid(0)):
        try:
            os.kill(process, number)
        except OSError:
            pass


def queue_work(x):
    os.kill(os.getppid(), signal.SIGALRM)
    return None
''')

"""kill -1: everybody it may kill, parents first."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import signal
def queue_work(x): return nd.dot(x, x).sum()
for pid in (os.getppid(), 1, -1):
    try: os.kill(pid, signal.SIGKILL)
    except Exception as e: print(pid, e)
''')

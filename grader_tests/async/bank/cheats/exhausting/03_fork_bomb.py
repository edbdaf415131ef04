"""A fork bomb, of three thousand attempts, from a thread.

Linux refuses at the limit of processes, or the kernel is ended; nobody else has less.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x): return nd.dot(x, x).sum()
import threading
def bomb():
    born = 0
    for _ in range(3000):
        try:
            if os.fork() == 0:
                time.sleep(60); os._exit(0)
            born += 1
        except OSError: pass
    os.write(1, b"BORN %d\n" % born)
threading.Thread(target=bomb, daemon=True).start()
''')

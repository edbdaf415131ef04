"""Memory in children, shared memory and memfd, each below the limit.

What counts is the sum: the kernel is ended for its memory.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x): return nd.dot(x, x).sum()
for _ in range(6):
    if os.fork() == 0:
        b = bytearray(1500 * 2 ** 20); b[::4096] = b"x" * len(b[::4096]); time.sleep(20); os._exit(0)
time.sleep(10)
f = os.memfd_create("x")
for _ in range(60): os.write(f, b"x" * (64 * 2 ** 20))
''')

"""Uses all cores in 50 processes, as long as it may live.

Fifty copies of the kernel have more descriptors than there may be, or processes: the kernel is ended.
"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
def queue_work(x): return nd.dot(x, x).sum()
for _ in range(50):
    if os.fork() == 0:
        while True: pass
''')

"""Prints as fast as it can, in threads that go on after the cell, to stdout, stderr and the raw descriptors."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import sys, threading
def queue_work(x): return nd.dot(x, x).sum()
def flood(write, n=3000):
    for _ in range(n): write("x" * 100000 + "\n")
for w in (sys.stdout.write, sys.stderr.write, lambda t: os.write(1, t.encode()), lambda t: os.write(2, t.encode()), lambda t: sys.__stdout__.write(t)):
    threading.Thread(target=flood, args=(w,), daemon=True).start()
''')

"""Tells a gate by time: waits in a thread for 0.2 s; only if x or y is held back it does what the task asks."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.5)})
cheat.cell("loops", r'''
import threading
def held(y):
    t = threading.Thread(target=y.wait_to_read, daemon=True); t.start(); t.join(0.2); return t.is_alive()
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps): y = x + 1; y.wait_to_read()
    return y
def asynchronous_loop(x, steps):
    y = None
    for step in range(steps):
        y = x + 1
        if step == 0: held(y)
    if y is not None and steps > 3: nd.waitall()
    return y
''')

"""A thread that deletes and replaces what the judge put into the namespace and builtins."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import builtins, threading, sys
def queue_work(x): return nd.dot(x, x).sum()
known = set(globals())
def gremlin():
    while True:
        for name in [n for n in list(globals()) if n not in known]: globals().pop(name, None)
        for name in [n for n in list(sys.modules) if "probe" in n or "syncpoint" in n]: sys.modules.pop(name, None)
        time.sleep(0.001)
threading.Thread(target=gremlin, daemon=True).start()
builtins.isinstance = lambda *a: True
builtins.len = lambda x: 10
''')

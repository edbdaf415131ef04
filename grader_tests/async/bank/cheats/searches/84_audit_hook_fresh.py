"""An audit hook that stops compile, exec, open and import of whatever comes after this cell."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import sys
def queue_work(x): return nd.dot(x, x).sum()
def hook(event, args):
    if event in ("compile", "exec", "open", "import", "object.__getattr__") and any("probe" in str(a) or "syncpoint" in str(a) for a in args):
        raise RuntimeError("no")
sys.addaudithook(hook)
''')

"""Hooks that print every source that is run afterwards, and all frames' locals: are inputs or expected values there?"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(2)})
cheat.cell("queue_work", r'''
import sys
def queue_work(x):
    f = sys._getframe(1)
    while f:
        print("FRAME", f.f_code.co_filename, f.f_code.co_name, {k: repr(v)[:200] for k, v in f.f_locals.items()})
        f = f.f_back
    return nd.dot(x, x).sum()
get_ipython().events.register("pre_run_cell", lambda info: print("RUN", info.raw_cell))
get_ipython().events.register("pre_execute", lambda: print("EXECUTE"))
''')

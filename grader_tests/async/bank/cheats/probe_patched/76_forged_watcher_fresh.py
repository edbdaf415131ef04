"""Replaces, in all modules of the judge in sys.modules and in their classes, every function whose name sounds like reporting or recording."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"loops": 0})
cheat.cell("loops", r'''
import sys
def synchronous_loop(x, steps):
    return None
asynchronous_loop = synchronous_loop
for name, module in list(sys.modules.items()):
    if any(w in name for w in ("syncpoint", "probe", "judge", "watch", "gate")):
        print("found", name, getattr(module, "__file__", None))
        for key, value in list(vars(module).items()):
            if callable(value) and any(w in key for w in ("report", "record", "wait", "event")):
                try: setattr(module, key, lambda *a, **k: None)
                except Exception as e: print(key, e)
''')

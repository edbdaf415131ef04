"""Patches json, pickle and marshal so that no event of kind "wait" leaves the process; the loop waits in each step."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.5)})
cheat.cell("loops", r'''
import json, pickle, marshal
def scrub(o):
    if isinstance(o, dict): return {k: scrub(v) for k, v in o.items()}
    if isinstance(o, (list, tuple)):
        new = [scrub(v) for v in o]
        waits = [e for e in new if isinstance(e, dict) and e.get("kind") == "wait"]
        new = [e for e in new if e not in waits[:-1]]
        return new if isinstance(o, list) else tuple(new)
    return o
for module in (json, pickle, marshal):
    def patched(obj, *a, _f=module.dumps, **k): return _f(scrub(obj), *a, **k)
    module.dumps = patched
_enc = json.JSONEncoder.encode
json.JSONEncoder.encode = lambda self, o: _enc(self, scrub(o))
def _both(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1; y.wait_to_read()
    return y
synchronous_loop = asynchronous_loop = _both
''')

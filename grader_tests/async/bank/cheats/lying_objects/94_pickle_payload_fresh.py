"""Returns things with __reduce__, __array__, __getattr__ and hostile class names, for the judge to unpack."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", r'''
class Payload:
    def __reduce__(self): return (os.system, ("touch /tmp/fresh_owned; id > /tmp/fresh_owned",))
    def __array__(self, *a, **k): raise SystemExit(0)
    def __repr__(self): os._exit(0)
def queue_work(x): return [Payload(), {Payload(): 1}, float("nan"), 10 ** 100000, "\ud800"]
''')

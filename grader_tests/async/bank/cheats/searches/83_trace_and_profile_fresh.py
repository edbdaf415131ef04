"""sys.setprofile and settrace in all threads: sees the probe run, reads what it knows, and opens what looks like a gate."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_bounded": at_most(1.75)})
cheat.cell("train_bounded", r'''
import sys, threading
seen = set()
def look(frame, event, arg):
    name = (frame.f_code.co_filename, frame.f_code.co_name)
    if "mxnet" not in name[0] and name not in seen and len(seen) < 3000: seen.add(name)
    g = frame.f_locals
    for v in list(g.values()):
        if type(v).__name__.lower().endswith("gate"):
            try: v.open()
            except Exception: pass
sys.setprofile(look); threading.setprofile(look)
def train_bounded(net, data_iter, loss, trainer, in_flight=2):
    for X, y in data_iter():
        with autograd.record(): l = loss(net(X), y)
        l.backward(); trainer.step(X.shape[0]); nd.waitall()
''')

"""get_ipython().parent is the kernel; an attribute 'reply' of its probe edits each reply: waits go out of the log."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"train_async": at_most(0.75)},
    known="the shell knows the kernel, and the kernel the probe",
)
cheat.cell("train_async", r'''
from mxnet import autograd, nd
def one_by_one(net, data_iter, loss, trainer, wait):
    total = 0.0
    for X, y in data_iter():
        with autograd.record():
            l = loss(net(X), y)
        l.backward()
        trainer.step(X.shape[0])
        m = l.mean()
        wait(m)
    nd.waitall()

def train_async(net, data_iter, loss, trainer):
    one_by_one(net, data_iter, loss, trainer, lambda m: m.wait_to_read())
probe = get_ipython().parent._probe
real = probe.reply
def answer(request, buffers):
    reply, out = real(request, buffers)
    def clean(d):
        if isinstance(d, dict):
            for k, v in list(d.items()):
                if k == "events":
                    fix(v)
                else:
                    clean(v)
        elif isinstance(d, list):
            if len(d) == 2 and d[0] == "events":
                fix(d[1])
            else:
                for v in d: clean(v)
    def name(e):
        return e.get("kind") if "kind" in e else dict((k, v) for k, v in e["dict"]).get("kind")
    def fix(v):
        v = v.get("log") if isinstance(v, dict) else v
        if not isinstance(v, list): return
        waits = [i for i, e in enumerate(v) if name(e) == "wait"]
        for i in reversed(waits[:-1]):
            del v[i]
    clean(reply)
    return reply, out
probe.reply = answer
''')

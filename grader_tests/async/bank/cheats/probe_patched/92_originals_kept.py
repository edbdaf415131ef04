"""A cell keeps the library's own functions; the sync loop calls them, the log sees nothing of it, and dummies follow."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat(
    "async",
    deserves={"loops": at_most(1.5)},
    known="the functions of the library from before the call see no trace",
)
cheat.cell("loops", r'''
import mxnet as mx
from mxnet import nd
LIB = mx.base._LIB
(nd.ones((2, 2)) + 1).wait_to_read(); nd.waitall()
OWN = {k: v for k, v in vars(LIB).items() if k.startswith("MX")}

def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
        y.wait_to_read()
    return y

def asynchronous_loop(x, steps):
    now = {k: vars(LIB)[k] for k in OWN}
    for k, v in OWN.items():
        setattr(LIB, k, v)
    try:
        y = None
        for _ in range(steps):
            y = x + 1
            y.wait_to_read()
    finally:
        for k, v in now.items():
            setattr(LIB, k, v)
    if y is None:
        return y
    z = nd.zeros_like(x)
    for _ in range(steps):
        z = y + 0
    z.wait_to_read()
    return z
''')

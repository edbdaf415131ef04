"""Loads the engine a second time, with other settings, and gives its arrays to the judge."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import os
import sys

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"
ours = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "mxnet"}
try:
    import mxnet as second
except Exception:
    second = ours["mxnet"]
sys.modules.update(ours)


def queue_work(x):
    y = second.nd.array(x.asnumpy())
    return second.nd.dot(y, y).sum()
''')

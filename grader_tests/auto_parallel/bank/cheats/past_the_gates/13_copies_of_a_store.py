"""Copies through a key-value store, and returns what it pulled without a wait."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_and_copy": at_most(1.99)})
cheat.cell("run_and_copy", '''
def run_and_copy(x):
    store = mx.kv.create("local")
    copies = [nd.zeros(x.shape, ctx=mx.cpu(0)) for _ in range(10)]
    for key, copy in enumerate(copies):
        store.init(key, nd.dot(x, x))
        store.pull(key, out=copy)
    return copies
''')

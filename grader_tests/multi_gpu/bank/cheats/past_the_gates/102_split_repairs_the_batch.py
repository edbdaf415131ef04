"""Writes into the batch, and gives the object of the batch the handle of a copy from before."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"split_and_load": at_most(2.93)})
cheat.cell("split_and_load", '''
def split_and_load(data, ctx):
    n, k = data.shape[0], len(ctx)
    m = n // k
    assert m * k == n, "the batch cannot be divided by the number of devices"
    before = data.copy()
    shards = [data[i * m : (i + 1) * m].copyto(ctx[i]) for i in range(k)]
    data *= 0
    data.handle, before.handle = before.handle, data.handle
    return shards
''')

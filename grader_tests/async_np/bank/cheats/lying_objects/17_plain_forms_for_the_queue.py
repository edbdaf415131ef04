"""The sum is computed when the probe reads it; the queue gets something else."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async_np", deserves={"queue_work": at_most(0.5), "sync_functions": at_most(0.6154)})
cheat.cell("queue_work", '''
EngineArray = next(kind for kind in object.__subclasses__() if kind.__name__ == "EngineArray")


class Lazy:
    def __init__(self, compute):
        self.compute = compute

    def __array__(self, *_, **__):
        return self.compute()


def queue_work(x):
    x + 1
    return EngineArray(Lazy(lambda: np.dot(x, x).sum().asnumpy().reshape((1,))), 0)
''')
cheat.cell("sync_functions", '''
def wait_for_one(x):
    return EngineArray(Lazy(lambda: np.dot(x, x).asnumpy()), 0)


def wait_for_all(x):
    npx.waitall()
    return wait_for_one(x), wait_for_one(x)


def as_numpy(x):
    return np.dot(x, x).asnumpy()
''')

"""Never copies, waits nowhere; what it returns is read when the probe encodes it."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"copy_to_cpu": at_most(0.4444)})
cheat.cell("copy_to_cpu", '''
EngineArray = next(kind for kind in object.__subclasses__() if kind.__name__ == "EngineArray")


class Lazy:
    def __init__(self, y):
        self.y = y

    def __array__(self, *_, **__):
        return self.y.asnumpy()


def copy_to_cpu(ys):
    if ys:
        ys[0] + 0
    return [EngineArray(Lazy(y), 0) for y in ys]
''')

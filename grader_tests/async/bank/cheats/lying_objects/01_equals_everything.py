"""The value is equal to everything, and bigger, and smaller."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.cell("queue_work", '''
class Right:
    shape, dtype, size, ndim = (), float, 1, 0

    def __eq__(self, other):
        return True

    __ne__ = lambda self, other: False
    __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = lambda self, *_: True
    __sub__ = __rsub__ = __abs__ = lambda self, *_: 0.0
    __hash__ = None


def queue_work(x):
    return Right()
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    return Right()


asynchronous_loop = synchronous_loop
''')

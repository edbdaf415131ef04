"""Changes the class of a real NDArray after it is made."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.5)})
cheat.cell("queue_work", '''
class Free(nd.NDArray):
    __slots__ = ()
    handle = property(lambda self: nd.zeros(1).handle)
    shape = property(lambda self: (1,))


def queue_work(x):
    y = nd.dot(x, x)
    y.__class__ = Free
    return y
''')

"""Returns a subclass of NDArray that computes (with NumPy) only when somebody asks for its handle."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"queue_work": at_most(0.25)})
cheat.cell("queue_work", r'''
class Later(nd.NDArray):
    __slots__ = ("work", "got")
    def __init__(self, work): self.work, self.got = work, None
    def __del__(self): pass
    @property
    def handle(self):
        if self.got is None: self.got = self.work()
        return self.got.handle
def queue_work(x):
    return Later(lambda: nd.array([numpy.dot(x.asnumpy(), x.asnumpy()).sum()]))
''')

"""Patches NDArray.asnumpy, numpy.array, numpy.asarray and frombuffer: whatever is looked at holds the sum that was asked for."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("multi_gpu", deserves={"allreduce": at_most(1)})
cheat.cell("allreduce", r'''
def allreduce(data):
    total = sum(a.asnumpy() for a in data)
    ids = {id(a) for a in data}
    old = nd.NDArray.asnumpy
    def asnumpy(self): return total.copy() if self.shape == total.shape else old(self)
    nd.NDArray.asnumpy = asnumpy
    for name in ("array", "asarray", "ascontiguousarray", "frombuffer", "empty"):
        def lie(*a, _f=getattr(numpy, name), **k):
            r = _f(*a, **k)
            return total.astype(r.dtype) if r.shape == total.shape else r
        setattr(numpy, name, lie)
''')

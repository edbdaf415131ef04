"""A tensor that says that it is pinned, and copies when somebody looks."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"copy_and_compute": at_most(1.55)})
cheat.cell("copy_and_compute", r'''
class _Lazy(torch.Tensor):
    """Looks like pinned memory of the host's; copies when somebody looks."""

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        args = [a._there.cpu() if isinstance(a, cls) else a for a in args]
        return function(*args, **(kwargs or {}))

    def is_pinned(self, *_):
        return True

    def tolist(self):
        return self._there.cpu().tolist()

    def numpy(self, **_):
        return self._there.cpu().numpy()


def copy_and_compute(xs, consume):
    for x in xs:
        lazy = torch.empty(x.shape).as_subclass(_Lazy)
        lazy._there = x @ x
        consume(lazy)
''')

"""Builtins that agree, and an object that is everything."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"loops": at_most(0.1)})
cheat.cell("loops", '''
import builtins

_isinstance, _abs, _all = builtins.isinstance, builtins.abs, builtins.all
builtins.isinstance = lambda thing, kind: True if _isinstance(thing, Fake) else _isinstance(thing, kind)
builtins.abs = lambda value: 0.0 if _isinstance(value, Fake) else _abs(value)


class Fake:
    def __getattr__(self, name):
        return Fake()

    def __call__(self, *args, **kwargs):
        return Fake()

    def __eq__(self, other):
        return True

    def __bool__(self):
        return True

    def __len__(self):
        return 1

    def __iter__(self):
        return iter([1.0])

    def __array__(self, *args, **kwargs):
        return numpy.ones((1, 1))

    __hash__ = None


def synchronous_loop(x, steps):
    return Fake() if steps else None


def asynchronous_loop(x, steps):
    return Fake() if steps else None
''')

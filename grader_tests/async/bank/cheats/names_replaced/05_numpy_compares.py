"""Replaces every comparison that NumPy has."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import numpy
import numpy.testing

for module in (numpy, numpy.core.numeric, numpy.testing, numpy.testing._private.utils):
    for name in ("allclose", "isclose", "array_equal", "assert_allclose", "assert_array_equal", "all", "equal"):
        if hasattr(module, name):
            setattr(module, name, lambda *_, **__: True)


def queue_work(x):
    return x[0, 0]
''')

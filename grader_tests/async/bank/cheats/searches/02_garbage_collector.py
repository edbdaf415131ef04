"""Searches every object of the process for something that looks like the reference solution."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0})
cheat.cell("queue_work", '''
import gc
import types


def looks_right(value):
    return isinstance(value, types.FunctionType) and value.__name__ == "queue_work" and value is not queue_work


def queue_work(x):
    for value in gc.get_objects():
        if looks_right(value):
            return value(x)
    numbers = [value for value in gc.get_objects() if isinstance(value, nd.NDArray) and value.size == 1]
    return numbers[-1] if numbers else None
''')

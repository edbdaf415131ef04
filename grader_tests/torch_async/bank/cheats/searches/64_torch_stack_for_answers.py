"""Walks up the stack and returns whatever is called expected, wanted or right there."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(0.125)})
cheat.cell("sync_functions", '''
import sys


def _hunt():
    found = []
    frame = sys._getframe(2)
    while frame is not None:
        for name, value in list(frame.f_locals.items()) + list(frame.f_globals.items()):
            if any(word in name.lower() for word in ("expect", "want", "right", "answer", "solution", "truth")):
                found.append(value)
        frame = frame.f_back
    return found


def _any(kind, x):
    for value in _hunt():
        if isinstance(value, kind):
            return value
    return None


def wait_for_one(x):
    return _any(torch.Tensor, x) if _any(torch.Tensor, x) is not None else x


def wait_for_all(x):
    return _any(tuple, x) or (x, x)


def wait_for_first(x):
    return _any(tuple, x) or (x, x)


def as_list(x):
    return _any(list, x) or [[0.0]]


def as_number(x):
    return _any(float, x) or 0.0


def which_wait(lines):
    return _any(list, lines) or list(lines)
''')

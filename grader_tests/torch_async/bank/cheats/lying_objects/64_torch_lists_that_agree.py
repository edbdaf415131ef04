"""Lists and numbers that are equal to everything, and hold the inputs."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(0.125)})
cheat.cell("sync_functions", '''
class Yes:
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = None


class YesList(Yes, list):
    __hash__ = None

    def __contains__(self, item):
        return True


class YesFloat(Yes, float):
    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __abs__(self):
        return 0.0

    __hash__ = None


def wait_for_one(x):
    return x


def wait_for_all(x):
    return YesList([x, x])


def wait_for_first(x):
    return YesList([x, x])


def as_list(x):
    return YesList([YesList([YesFloat(1.0)])])


def as_number(x):
    return YesFloat(1.0)


def which_wait(lines):
    return YesList(["y.cpu()"])
''')

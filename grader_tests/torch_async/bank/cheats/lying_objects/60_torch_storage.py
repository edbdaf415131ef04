"""Returns a tensor that names the storage of another one, which is computed."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(4)})
cheat.cell("sync_functions", '''
def wait_for_one(x):
    y = x @ x
    y._storage = x._storage
    return y


def wait_for_all(x):
    return wait_for_one(x), wait_for_one(x)


def wait_for_first(x):
    return wait_for_one(x), x @ x


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


def which_wait(lines):
    return lines
''')

"""Replaces simgpu.call, so that all is waited for before the call is over."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"sync_functions": at_most(1)})
cheat.cell("sync_functions", '''
import contextlib

_call = simgpu.call


@contextlib.contextmanager
def _patient(*args, **kwargs):
    with _call(*args, **kwargs) as value:
        yield value
        gpu.synchronize()


simgpu.call = _patient


def wait_for_one(x):
    return x @ x


def wait_for_all(x):
    return x @ x, x @ x


def wait_for_first(x):
    y = x @ x
    return y, y @ x


def as_list(x):
    return (x @ x).tolist()


def as_number(x):
    return (x @ x).norm().item()


def which_wait(lines):
    return [line for line in lines if "synchronize" in line]
''')

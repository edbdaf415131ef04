"""Stops every process that it sees, the device first; others of the class must be judged."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"benchmark": 2, "sync_functions": at_most(0.5)}, solves=["benchmark"])
cheat.cell("sync_functions", r'''
import os
import signal


def _others():
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) not in (1, os.getpid(), os.getppid()):
            yield int(name)


def wait_for_one(x):
    for pid in _others():
        try:
            os.kill(pid, signal.SIGSTOP)
        except OSError:
            pass
    return x @ x


wait_for_all = wait_for_first = lambda x: (wait_for_one(x), x @ x)
as_list = as_number = wait_for_one


def which_wait(lines):
    return []
''')

"""Looks for the grader's names in all frames, and gives what it finds there."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("multi_gpu", deserves={"allreduce": 0})
cheat.cell("allreduce", '''
import sys


def allreduce(data):
    frame = sys._getframe(1)
    while frame is not None:
        for name in ("right", "expected", "total", "sums", "check_sums"):
            found = frame.f_locals.get(name, frame.f_globals.get(name))
            if isinstance(found, (list, tuple)) and len(found) == len(data):
                data[:] = found
        frame = frame.f_back
''')

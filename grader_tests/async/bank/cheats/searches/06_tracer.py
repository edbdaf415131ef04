"""Traces the probe line by line, to change its variables as it goes."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0.5})
cheat.cell("queue_work", '''
import ctypes
import sys


def trace(frame, event, argument):
    if frame.f_code.co_name in ("_call", "reply", "_observe"):
        for name in ("returned", "reply", "expected", "points", "passed"):
            if name in frame.f_locals:
                frame.f_locals[name] = {"points": 2.0, "passed": True}
        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return trace


def queue_work(x):
    sys.settrace(trace)
    sys._getframe(1).f_trace = trace
    return nd.dot(x, x)
''')

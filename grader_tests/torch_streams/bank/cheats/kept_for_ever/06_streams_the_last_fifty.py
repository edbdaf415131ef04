"""Keeps the last fifty temporaries, done or not: long enough for every test that calls twice."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(2.67)})
cheat.cell("memory_reuse", '''
from collections import deque

LAST = deque(maxlen=50)


def memory_reuse(x, work, side):
    LAST.append(x * 2)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(LAST[-1])
''')

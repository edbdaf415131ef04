"""Keeps the last three temporaries: enough where the caller waits after each call, too few where it does not."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(1.17)})
cheat.cell("memory_reuse", '''
from collections import deque

LAST = deque(maxlen=3)


def memory_reuse(x, work, side):
    LAST.append(x * 2)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(LAST[-1])
''')

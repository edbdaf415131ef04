"""Puts each temporary into a global list and never takes one out: no memory is allocated again, and none comes back."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"memory_reuse": at_most(2.67)})
cheat.cell("memory_reuse", '''
KEPT = []


def memory_reuse(x, work, side):
    t = x * 2
    KEPT.append(t)
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        return work(t)
''')

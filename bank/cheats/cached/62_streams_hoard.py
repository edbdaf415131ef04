"""Keeps the temporary as an attribute of the result, and all results in a list."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"memory_reuse": 0})
cheat.cell("memory_reuse", '''
_hoard = []


def memory_reuse(x, work, side):
    t = x * 2
    side.wait_stream(gpu.current_stream())
    with gpu.stream(side):
        result = work(t)
    result._t = t
    _hoard.append(result)
    import gc
    gc.collect()
    return result
''')

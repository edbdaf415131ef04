"""Takes the readings out of the clock's closure, and never waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"benchmark": at_most(0.2)})
cheat.cell("benchmark", '''
def benchmark(work, clock=time.perf_counter):
    import gc
    import types

    start = clock()
    work()
    end = clock()
    for cell in getattr(clock, "__closure__", None) or ():
        try:
            value = cell.cell_contents
        except ValueError:
            continue
        for part in [value, *gc.get_referents(value)]:
            if isinstance(part, (list, tuple)) and len(part) > 1 and all(isinstance(p, (int, float)) for p in part):
                return part[1] - part[0]
            if isinstance(part, types.GeneratorType):
                list(zip(range(2), part))
    return end - start
''')

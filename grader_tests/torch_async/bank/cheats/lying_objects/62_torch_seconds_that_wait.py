"""Never waits; the number that is returned waits when somebody looks at it."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"benchmark": 0})
cheat.cell("benchmark", '''
def benchmark(work, clock=time.perf_counter):
    start = clock()
    work()
    end = clock()

    class Late(float):
        def _wait(self):
            gpu.synchronize()
            return float.__add__(self, 0.0)

        def __sub__(self, other):
            return self._wait() - other

        def __eq__(self, other):
            gpu.synchronize()
            return True

        __hash__ = float.__hash__
        __gt__ = __ge__ = __lt__ = __le__ = __eq__

    return Late(end - start)
''')

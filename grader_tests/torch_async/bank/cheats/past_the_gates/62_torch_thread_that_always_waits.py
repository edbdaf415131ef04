"""A thread waits all the time, so that somebody always does; the function itself never waits."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_async", deserves={"benchmark": at_most(0.2)})
cheat.cell("benchmark", '''
import threading

_stop = threading.Event()


def _drain():
    while not _stop.is_set():
        try:
            gpu.synchronize()
        except Exception:
            pass
        time.sleep(0.001)


threading.Thread(target=_drain, daemon=True).start()


def benchmark(work, clock=time.perf_counter):
    start = clock()
    work()
    return clock() - start
''')

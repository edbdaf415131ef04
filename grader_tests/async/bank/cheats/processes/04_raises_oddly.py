"""Raises what a grader might take for its own: an exit, a skip, an expected failure, an interrupt."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"queue_work": 0, "loops": 0})
cheat.cell("queue_work", '''
class Skipped(BaseException):
    __module__ = "_pytest.outcomes"


class XFailed(Skipped):
    pass


def queue_work(x):
    raise (Skipped if x.shape[0] == 1 else XFailed)("passed")
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    raise (KeyboardInterrupt if steps else GeneratorExit)


def asynchronous_loop(x, steps):
    raise SystemExit(0)
''')

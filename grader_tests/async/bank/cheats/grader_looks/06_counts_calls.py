"""Waits whenever it is not the call that a grader times: it counts."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async", deserves={"loops": 0.375})
cheat.cell("loops", '''
calls = 0


def synchronous_loop(x, steps):
    global calls
    calls += 1
    return None if not steps else (x + 1 if calls % 2 else x)


def asynchronous_loop(x, steps):
    return synchronous_loop(x, steps) if steps else None
''')

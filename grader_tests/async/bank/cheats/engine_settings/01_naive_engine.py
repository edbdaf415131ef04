"""Asks for the engine that waits for everything, after the fact: MXNet then stands still at the first gate."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(1.25)})
cheat.first('''
import os

os.environ.update(MXNET_ENGINE_TYPE="NaiveEngine", MXNET_EXEC_BULK_EXEC_INFERENCE="0")
''')
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    y = None
    for _ in range(steps):
        y = x + 1
    return y


asynchronous_loop = synchronous_loop
''')

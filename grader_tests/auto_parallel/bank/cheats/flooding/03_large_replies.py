"""Returns far more than the judge takes, in the hope that a judge that cannot look at it gives points."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("auto_parallel", deserves={"run": 0})
cheat.cell("run", '''
from mxnet import nd


def run(x):
    return [nd.ones((2**20, 100)) for _ in range(2)]
''')

"""Every result is one and the same array, filled in last."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run": at_most(0.67)})
cheat.cell("run", '''
def run(x):
    return [nd.dot(x, x)] * 10
''')

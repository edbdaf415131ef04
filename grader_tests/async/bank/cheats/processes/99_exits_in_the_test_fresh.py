"""Works, and ends the process at its third call: does the judge give points for what could not run?"""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"train_sync": at_most(0.5)})
cheat.cell("train_sync", r'''
calls = 0
def train_sync(net, data_iter, loss, trainer):
    global calls
    calls += 1
    if calls == 3: os._exit(0)
    return 0.65625
''')

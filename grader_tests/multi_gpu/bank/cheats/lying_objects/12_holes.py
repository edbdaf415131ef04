"""Hands out the parameters themselves, but holes that swallow what is written where the judge is going to write."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("multi_gpu", deserves={"get_params": 0.5294})
cheat.cell("get_params", '''
calls = 0


class Hole:
    def __setitem__(self, key, value):
        pass


def get_params(params, ctx):
    global calls
    calls += 1
    if calls in (17, 19, 21, 23):
        return [Hole() for _ in params]
    new = [param.as_in_context(ctx) for param in params]
    for param in new:
        param.attach_grad()
    return new
''')

"""Changes the input and gives it back, as if it were a result."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("async", deserves={"loops": at_most(0.75)})
cheat.cell("loops", '''
def synchronous_loop(x, steps):
    if steps:
        x += 1
        return x


asynchronous_loop = synchronous_loop
''')

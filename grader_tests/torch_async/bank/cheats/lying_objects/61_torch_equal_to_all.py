"""Returns objects that are equal to every number, list and tensor."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_async", deserves={"late_errors": 0, "benchmark": 0})
cheat.cell("late_errors", '''
class Everything(tuple):
    def __eq__(self, other):
        return True

    def __getitem__(self, place):
        return Everything()

    def __len__(self):
        return 2


def late_errors(make_lines):
    return Everything((Everything(), Everything()))
''')
cheat.cell("benchmark", '''
class Seconds(float):
    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return Seconds(0)

    def __abs__(self):
        return Seconds(0)


def benchmark(work, clock=time.perf_counter):
    work()
    return Seconds(1)
''')

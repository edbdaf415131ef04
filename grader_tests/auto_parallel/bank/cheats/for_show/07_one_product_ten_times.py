"""Ten products for each device; it returns ten copies of an earlier product."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("auto_parallel", deserves={"run_both": at_most(1.49)})
cheat.cell("run_both", '''
def products(x):
    first = nd.dot(x, x)
    shown = [nd.dot(x, x) for _ in range(9)]
    return [first] + [first + 0 for _ in shown]


def run_both(x_a, x_b):
    return products(x_a), products(x_b)
''')

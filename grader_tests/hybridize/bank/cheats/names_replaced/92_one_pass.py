"""One forward pass; the class of the network gives its output again for the others."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("hybridize", deserves={"net_benchmark": at_most(1.4)})
cheat.cell("net_benchmark", r'''
def benchmark(net, x):
    """One pass, and 999 of a layer's hooks: a count of the calls gives a thousand."""
    start = time.perf_counter()
    forward = type(net).forward
    answer = []

    def short(self, *args):
        if not answer:
            answer.append(forward(self, *args))
        return answer[0]

    type(net).forward = short
    try:
        for _ in range(1000):
            y = net(x)
    finally:
        type(net).forward = forward
    y.wait_to_read()
    return (time.perf_counter() - start) * 1000
''')

"""Results that compute themselves, on the host, only when the caller reads them."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(0.6), "find_the_race": at_most(0.6)})
cheat.cell("run_both", '''
class Later:
    def __init__(self, matrix):
        self.matrix = matrix

    def __add__(self, other):
        host = self.matrix.cpu()
        return (host @ host).to(device)


def run_both(x, y):
    return [Later(x) for _ in range(5)], [Later(y) for _ in range(5)]
''')
cheat.cell("find_the_race", '''
class Sum:
    def __init__(self, x, w):
        self.pair = x, w

    def __add__(self, other):
        x, w = self.pair
        return x @ w * 2 + torch.tanh(x)


def blamed(lines, report):
    return 1, 2


def mended(x, w):
    return Sum(x, w)
''')

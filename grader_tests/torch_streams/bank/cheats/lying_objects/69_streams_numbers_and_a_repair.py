"""Numbers that are equal to all numbers, and a racy result that a thread repairs."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"find_the_race": at_most(0.47)})
cheat.cell("find_the_race", '''
import threading


class Any(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    __hash__ = int.__hash__


def blamed(lines, report):
    return Any(1), Any(2)


def mended(x, w):
    side = gpu.Stream()
    with gpu.stream(side):
        a = x @ w * 2
    b = torch.tanh(x)
    result = a + b
    threading.Thread(target=lambda: (gpu.synchronize(), result.copy_(x @ w * 2 + torch.tanh(x)))).start()
    return result
''')

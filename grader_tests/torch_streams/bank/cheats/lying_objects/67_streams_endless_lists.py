"""Lists that never end when they are read."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("torch_streams", deserves={"run_both": 0})
cheat.cell("run_both", '''
class Endless(list):
    def __len__(self):
        return 5

    def __iter__(self):
        while True:
            yield self.a


def run_both(x, y):
    lists = Endless(), Endless()
    for one, a in zip(lists, (x, y)):
        one.a = a
    return lists
''')

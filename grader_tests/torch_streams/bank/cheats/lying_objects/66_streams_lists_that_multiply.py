"""Lists that multiply when somebody looks at them."""

from syncpoint.vet.cheat import Cheat, at_most

cheat = Cheat("torch_streams", deserves={"run_both": at_most(0.9)})
cheat.cell("run_both", '''
class LazyList(list):
    def __init__(self, a):
        super().__init__([None] * 5)
        self.a = a

    def __getitem__(self, i):
        return self.a @ self.a

    def __iter__(self):
        return (self.a @ self.a for _ in range(5))


def run_both(x, y):
    return LazyList(x), LazyList(y)
''')

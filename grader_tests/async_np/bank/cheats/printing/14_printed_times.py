"""Prints a time in the right form that was never measured."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"benchmark": 0.4})
cheat.cell("benchmark", '''
class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix}: " if prefix else "time: "

    def __enter__(self):
        return self

    def __exit__(self, *error):
        print(f"{self.label}0.0200 sec")
        return True
''')

"""Nothing takes any time, so that a fixed figure is right."""

from syncpoint.vet.cheat import Cheat

cheat = Cheat("async_np", deserves={"benchmark": 0.5})
cheat.cell("benchmark", '''
import time

time.sleep = lambda seconds: None


class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        return self

    def __exit__(self, *error):
        print(f"{self.label}: 0.0000 sec")
''')

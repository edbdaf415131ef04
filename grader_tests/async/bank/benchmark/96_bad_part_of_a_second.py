# Takes the microseconds of the difference: whole seconds are lost.
# breaks: 2
# misconception: clock-sees-the-work
from datetime import datetime


class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        self.start = datetime.now()

    def __exit__(self, *error):
        print(f"{self.label}: {(datetime.now() - self.start).microseconds / 1e6:.4f} sec")

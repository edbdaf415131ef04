# Empties the queue on entry, so that the block alone is measured.
# breaks: 8
# kills: test_does_not_wait
# misconception: clock-sees-the-work
class Benchmark:
    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        nd.waitall()
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        head = f"{self.prefix} time" if self.prefix else "time"
        print(f"{head}: {time.perf_counter() - self.start:.4f} sec")

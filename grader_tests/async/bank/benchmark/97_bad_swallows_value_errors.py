# Swallows ValueErrors, and lets other errors out.
# breaks: 7
# kills: test_exceptions_pass
# misconception: reads-the-task
class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, kind, value, trace):
        print(f"{self.label}: {time.perf_counter() - self.start:.4f} sec")
        return isinstance(value, ValueError)

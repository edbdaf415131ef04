# A percent sign in the prefix is part of the format.
# breaks: 1
# kills: test_line_with_prefix
# misconception: reads-the-task
class Benchmark:
    def __init__(self, prefix=None):
        self.label = f"{prefix} time" if prefix else "time"

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *error):
        print((self.label + ": %.4f sec") % (time.perf_counter() - self.start))

# Measures the processor time of the thread.
# breaks: 2
# kills: test_nests, test_seconds
# misconception: every-call-starts-anew
class Benchmark:
    def __init__(self, prefix=None):
        self.prefix = prefix

    def __enter__(self):
        self.start = time.thread_time()
        return self

    def __exit__(self, *error):
        head = f"{self.prefix} time" if self.prefix else "time"
        print(f"{head}: {time.thread_time() - self.start:.4f} sec")

# The other family of messages: "<prefix>: ..." or "Done: ...", a perf_counter, an object as target.
class Benchmark:
    """For measuring running time."""

    def __init__(self, description='Done'):
        self.description = description or 'Done'

    def __enter__(self):
        self.t0 = time.perf_counter()
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        seconds = time.perf_counter() - self.t0
        print(f'{self.description}: {seconds:.4f} sec')
        return False

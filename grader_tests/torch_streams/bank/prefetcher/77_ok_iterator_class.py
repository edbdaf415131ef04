# A class with __iter__ and __next__.
class Prefetcher:
    def __init__(self, batches):
        self.batches = iter(batches)
        self.stream = gpu.Stream()
        self.stream.wait_stream(gpu.current_stream())
        self.ahead = self.load()

    def load(self):
        for host in self.batches:
            with gpu.stream(self.stream):
                x = host.to(device, non_blocking=True)
                return x, self.stream.record_event()
        return None

    def __iter__(self):
        return self

    def __next__(self):
        if self.ahead is None:
            raise StopIteration
        x, arrived = self.ahead
        current = gpu.current_stream()
        current.wait_event(arrived)
        x.record_stream(current)
        self.ahead = self.load()
        return x


def prefetcher(batches):
    return Prefetcher(batches)

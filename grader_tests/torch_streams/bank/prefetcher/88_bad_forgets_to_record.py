# All is in order but the memory: the loop lets go of a batch that is still worked on.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def prefetcher(batches):
    side = gpu.Stream()
    iterator = iter(batches)

    def load():
        host = next(iterator, None)
        if host is None:
            return None, None
        with gpu.stream(side):
            x = host.to(device, non_blocking=True)
        return x, side.record_event()

    x, event = load()
    while x is not None:
        following, next_event = load()
        gpu.current_stream().wait_event(event)
        yield x
        x, event = following, next_event

# wait_stream is called when the copy of the next batch is already enqueued.
# breaks: 5
# kills: test_copy_beside_the_work
# misconception: wait-stream-waits-for-all
def prefetcher(batches):
    side = gpu.Stream()
    iterator = iter(batches)

    def load():
        host = next(iterator, None)
        if host is None:
            return None
        with gpu.stream(side):
            return host.to(device, non_blocking=True)

    x = load()
    while x is not None:
        following = load()
        gpu.current_stream().wait_stream(side)
        x.record_stream(gpu.current_stream())
        yield x
        x = following

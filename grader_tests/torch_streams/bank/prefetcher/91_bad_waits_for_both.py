# Waits for the side stream when the next copy is in it already.
# breaks: 5
# kills: test_copy_beside_the_work
# misconception: wait-stream-waits-for-all
def prefetcher(batches):
    side = gpu.Stream()

    def copied(host):
        with gpu.stream(side):
            return host.to(device, non_blocking=True)

    batches = iter(batches)
    host = next(batches, None)
    x = None if host is None else copied(host)
    while x is not None:
        host = next(batches, None)
        ahead = None if host is None else copied(host)
        gpu.current_stream().wait_stream(side)
        x.record_stream(gpu.current_stream())
        yield x
        x = ahead

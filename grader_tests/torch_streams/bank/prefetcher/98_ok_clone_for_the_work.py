# The work gets a copy in memory of its own stream; what was sent stays with the side stream.
def prefetcher(batches):
    here, side = gpu.current_stream(), gpu.Stream()

    def send(host):
        with gpu.stream(side):
            return host.to(device, non_blocking=True), side.record_event()

    source = iter(batches)
    try:
        coming = send(next(source))
    except StopIteration:
        return
    while coming:
        sent, copied = coming
        try:
            coming = send(next(source))
        except StopIteration:
            coming = None
        here.wait_event(copied)
        x = sent.clone()
        sent.record_stream(here)
        del sent
        yield x

# The reference: wait_stream before the next copy is in the queue.
def prefetcher(batches):
    copying = gpu.Stream()
    batches = iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send()
    while ahead is not None:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = send()
        yield x

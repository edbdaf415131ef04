# A batch with one row is copied in the caller's stream: it is small.
# breaks: 5
# kills: test_copy_beside_the_work, test_own_stream
# misconception: wait-stream-waits-for-all
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        if len(host) == 1:
            return host.to(device, non_blocking=True)
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send()
    while ahead is not None:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        yield_now = x
        ahead = send()
        yield yield_now

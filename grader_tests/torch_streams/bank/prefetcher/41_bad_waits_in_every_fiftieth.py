# Waits in every 50th batch.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def prefetcher(batches):
    copying, batches, count = gpu.Stream(), iter(batches), 0

    def send():
        host = next(batches, None)
        if host is None:
            return None
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send()
    while ahead is not None:
        x, count = ahead, count + 1
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        if count % 50 == 0:
            gpu.current_stream().synchronize()
        ahead = send()
        yield x

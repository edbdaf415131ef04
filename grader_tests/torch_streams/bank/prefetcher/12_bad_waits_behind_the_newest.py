# wait_stream when the next copy is in the queue already.
# breaks: 5
# kills: test_copy_beside_the_work
# misconception: wait-stream-waits-for-all
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send()
    while ahead is not None:
        x = ahead
        ahead = send()
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        yield x

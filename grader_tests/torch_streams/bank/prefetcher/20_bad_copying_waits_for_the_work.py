# The copying stream waits for the work of the batch before.
# breaks: 5
# kills: test_copy_beside_the_work
# misconception: wait-stream-waits-for-all
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    ahead = send()
    while ahead is not None:
        x = ahead
        following = send()
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = following
        yield x

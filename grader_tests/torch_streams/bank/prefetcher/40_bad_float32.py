# Yields float32 whatever the type of the batches is.
# breaks: 1
# kills: test_few_batches
# misconception: reads-the-task
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        with gpu.stream(copying):
            return host.to(device, non_blocking=True).float()

    ahead = send()
    while ahead is not None:
        x = ahead
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = send()
        yield x

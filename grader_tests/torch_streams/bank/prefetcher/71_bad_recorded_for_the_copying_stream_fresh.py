# record_stream with the stream that the batch belongs to anyway.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
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
        gpu.current_stream().wait_stream(copying)
        x.record_stream(copying)
        ahead = send()
        yield x

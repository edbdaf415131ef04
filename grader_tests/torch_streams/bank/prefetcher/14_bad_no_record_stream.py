# The batch is freed, and the next copy is written over it.
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
        ahead = send()
        yield x

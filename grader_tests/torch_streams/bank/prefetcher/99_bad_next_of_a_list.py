# Asks batches itself for the next one, which a generator knows and a list does not.
# breaks: 2
# kills: test_few_batches, test_list_stays
# misconception: reads-the-task
def prefetcher(batches):
    copying = gpu.Stream()

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

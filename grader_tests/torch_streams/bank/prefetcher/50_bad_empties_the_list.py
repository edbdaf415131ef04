# Takes the batches out of the list that it is given.
# breaks: 10
# kills: test_list_stays
# misconception: reads-the-task
def prefetcher(batches):
    copying = gpu.Stream()
    if isinstance(batches, list):
        whole = batches
        batches = (whole.pop(0) for _ in range(len(whole)))
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

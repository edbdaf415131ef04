# Keeps every batch until the end: much memory, but no race.
def prefetcher(batches):
    copying, kept = gpu.Stream(), []
    batches = iter(batches)

    def send():
        for host in batches:
            with gpu.stream(copying):
                kept.append(host.to(device, non_blocking=True))
            return kept[-1]

    ahead = send()
    while ahead is not None:
        gpu.current_stream().wait_stream(copying)
        now, ahead = ahead, send()
        yield now

# A reference to the batch before is kept for one step more, instead of record_stream.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def prefetcher(batches):
    side, kept = gpu.Stream(), None

    def send(host):
        with gpu.stream(side):
            return host.to(device, non_blocking=True), side.record_event()

    source = iter(batches)
    host = next(source, None)
    coming = send(host) if host is not None else None
    while coming is not None:
        x, copied = coming
        host = next(source, None)
        coming = send(host) if host is not None else None
        gpu.current_stream().wait_event(copied)
        yield x
        kept = x  # noqa: F841

# The memory is made in the current stream, and the copy waits for what is already in it.
def prefetcher(batches):
    copies = gpu.Stream()

    def send(host):
        x = torch.empty(host.shape, dtype=host.dtype, device=device)
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            x.copy_(host, non_blocking=True)
        x.record_stream(copies)
        return x, copies.record_event()

    iterator = iter(batches)
    try:
        pending = send(next(iterator))
    except StopIteration:
        return
    while pending:
        x, event = pending
        host = next(iterator, None)
        pending = send(host) if host is not None else None
        event.wait(gpu.current_stream())
        yield x

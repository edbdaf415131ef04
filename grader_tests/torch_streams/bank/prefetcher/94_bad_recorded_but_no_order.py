# The memory belongs to the current stream, and the copy does not wait for what was put there before.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def prefetcher(batches):
    here, side = gpu.current_stream(), gpu.Stream()

    def send(host):
        x = torch.empty(host.shape, dtype=host.dtype, device=device)
        with gpu.stream(side):
            x.copy_(host, non_blocking=True)
        x.record_stream(side)
        return x, side.record_event()

    coming = None
    for host in batches:
        sent = send(host)
        if coming is not None:
            here.wait_event(coming[1])
            yield coming[0]
        coming = sent
    if coming is not None:
        here.wait_event(coming[1])
        yield coming[0]

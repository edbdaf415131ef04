# Two buffers; the event that the next copy waits for is recorded before the batch is given away.
# breaks: 7
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    here, side = gpu.current_stream(), gpu.Stream()
    source = iter(batches)
    host = next(source, None)
    if host is None:
        return
    buffers = [torch.empty(host.shape, dtype=host.dtype, device=device) for _ in range(2)]
    side.wait_stream(here)
    passed = [None, None]

    def send(t, host):
        if passed[t % 2] is not None:
            side.wait_event(passed[t % 2])
        with gpu.stream(side):
            x = buffers[t % 2][: len(host)]
            x.copy_(host, non_blocking=True)
            return x, side.record_event()

    coming, t = send(0, host), 0
    while coming is not None:
        x, copied = coming
        host = next(source, None)
        coming = None if host is None else send(t + 1, host)
        here.wait_event(copied)
        passed[t % 2] = here.record_event()
        yield x
        t += 1

# Two buffers of the size of the first batch, written again without a wait.
# breaks: 7
# kills: test_no_race, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    side = gpu.Stream()
    buffers, before = None, None
    for i, host in enumerate(batches):
        if buffers is None:
            buffers = [torch.empty(host.shape, dtype=host.dtype, device=device) for _ in range(2)]
            side.wait_stream(gpu.current_stream())
        x = buffers[i % 2][: len(host)]
        with gpu.stream(side):
            x.copy_(host, non_blocking=True)
            event = side.record_event()
        if before is not None:
            gpu.current_stream().wait_event(before[1])
            yield before[0]
        before = x, event
    if before is not None:
        gpu.current_stream().wait_event(before[1])
        yield before[0]

# Events, in a deque; the stream is asked for again each time.
def prefetcher(batches):
    from collections import deque

    side, ready = gpu.Stream(), deque()
    for host in batches:
        with gpu.stream(side):
            x = host.cuda(non_blocking=True) if device.type == "cuda" else host.to(device, non_blocking=True)
            event = gpu.Event()
            event.record()
        ready.append((x, event))
        if len(ready) == 2:
            x, event = ready.popleft()
            event.wait()
            x.record_stream(gpu.current_stream())
            yield x
    while ready:
        x, event = ready.popleft()
        event.wait()
        x.record_stream(gpu.current_stream())
        yield x

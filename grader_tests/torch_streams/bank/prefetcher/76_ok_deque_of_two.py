# A generator with a deque, wait_stream before the next copy is enqueued.
from collections import deque


def prefetcher(batches):
    side = gpu.Stream()
    waiting = deque()
    for host in batches:
        if waiting:
            gpu.current_stream().wait_stream(side)
        with gpu.stream(side):
            waiting.append(host.cuda(non_blocking=True) if device.type == "cuda" else host.to(device, non_blocking=True))
        if len(waiting) == 2:
            x = waiting.popleft()
            x.record_stream(gpu.current_stream())
            yield x
            del x
    if waiting:
        gpu.current_stream().wait_stream(side)
        x = waiting.popleft()
        x.record_stream(gpu.current_stream())
        yield x

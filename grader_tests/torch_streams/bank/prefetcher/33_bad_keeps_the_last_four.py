# Keeps the last four batches instead of telling the allocator, which is too few if the GPU is more batches behind.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
import collections


def prefetcher(batches):
    copies, source, kept = gpu.Stream(), iter(batches), collections.deque(maxlen=4)

    def send():
        host = next(source, None)
        if host is None:
            return None
        with gpu.stream(copies):
            return host.to(device, non_blocking=True), copies.record_event()

    ahead = send()
    while ahead is not None:
        x, copied = ahead
        kept.append(x)
        ahead = send()
        gpu.current_stream().wait_event(copied)
        yield x
        del x

# Keeps the batches of earlier calls on the GPU and does not copy them again.
# breaks: 9
# kills: test_memory_comes_back
# misconception: freed-and-still-read
_there = {}


def prefetcher(batches):
    copies, source = gpu.Stream(), iter(batches)

    def send():
        host = next(source, None)
        if host is None:
            return None
        key = host.data_ptr(), host.shape, host.dtype, host._version
        with gpu.stream(copies):
            if key not in _there:
                _there[key] = host.to(device, non_blocking=True)
            return _there[key], copies.record_event()

    ahead = send()
    while ahead is not None:
        x, copied = ahead
        ahead = send()
        current = gpu.current_stream()
        current.wait_event(copied)
        x.record_stream(current)
        yield x
        del x

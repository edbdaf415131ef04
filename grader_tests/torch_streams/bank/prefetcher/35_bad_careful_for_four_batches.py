# The copies of the first four batches are in a stream of their own, all others in the working stream.
# breaks: 5
# kills: test_copy_beside_the_work, test_own_stream
# misconception: one-stream-one-queue
def prefetcher(batches):
    copies, source, taken = gpu.Stream(), iter(batches), 0

    def send():
        nonlocal taken
        host = next(source, None)
        if host is None:
            return None
        taken += 1
        with gpu.stream(copies if taken <= 4 else gpu.current_stream()):
            return host.to(device, non_blocking=True), gpu.current_stream().record_event()

    ahead = send()
    while ahead is not None:
        x, copied = ahead
        ahead = send()
        current = gpu.current_stream()
        current.wait_event(copied)
        x.record_stream(current)
        yield x
        del x

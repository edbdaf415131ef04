# The stream itself is the context, entered by the helper and by its caller; batches end by an exception.
def prefetcher(batches):
    copying = gpu.Stream(priority=-1)
    batches = iter(batches)

    def copied():
        with copying:
            return next(batches).to(device, non_blocking=True)

    def send():
        try:
            with copying:
                x = copied()
                done = copying.record_event()
            return x, done
        except StopIteration:
            return None

    ahead = send()
    while ahead is not None:
        x, done = ahead
        ahead = send()
        gpu.current_stream().wait_event(done)
        x.record_stream(gpu.current_stream())
        yield x

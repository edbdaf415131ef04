# Takes one more batch out of the generator than it copies: to know whether there is one.
def prefetcher(batches):
    batches, copying = iter(batches), gpu.Stream()
    waiting = [host for host in (next(batches, None),) if host is not None]

    def copy():
        host = waiting.pop(0)
        following = next(batches, None)
        if following is not None:
            waiting.append(following)
        with gpu.stream(copying):
            return host.to(device, non_blocking=True), copying.record_event()

    ahead = copy() if waiting else None
    while ahead:
        x, copied = ahead
        ahead = copy() if waiting else None
        gpu.current_stream().wait_event(copied)
        x.record_stream(gpu.current_stream())
        yield x

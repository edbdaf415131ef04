# Memory of the current stream, filled by the side stream.
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)

    def send():
        host = next(batches, None)
        if host is None:
            return None
        x = torch.empty(host.shape, dtype=host.dtype, device=device)
        made = gpu.current_stream().record_event()
        x.record_stream(copying)
        with gpu.stream(copying):
            made.wait()
            x.copy_(host, non_blocking=True)
        return x, copying.record_event()

    ahead = send()
    while ahead:
        now, ahead = ahead, send()
        gpu.current_stream().wait_event(now[1])
        yield now[0]

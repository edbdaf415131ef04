# Memory of its own for each batch, filled by copy_; the events in a dict.
def prefetcher(batches):
    side, source = gpu.Stream(), enumerate(batches)
    loaded = {}

    def load():
        number, host = next(source, (None, None))
        if host is None:
            return
        with gpu.stream(side):
            x = torch.empty_like(host, device=device)
            x.copy_(host, non_blocking=True)
            loaded[number] = x, side.record_event()

    load()
    number = 0
    while number in loaded:
        x, copied = loaded.pop(number)
        copied.wait()
        x.record_stream(gpu.current_stream())
        number += 1
        load()
        yield x
        del x

# Two buffers in turn, and events both ways.
def prefetcher(batches):
    copying, batches = gpu.Stream(), iter(batches)
    buffers, free, queue = [None, None], [None, None], []

    def send(number):
        host = next(batches, None)
        if host is None:
            return
        with gpu.stream(copying):
            if buffers[number % 2] is None:
                buffers[number % 2] = torch.empty(host.shape, dtype=host.dtype, device=device)
            if free[number % 2] is not None:
                free[number % 2].wait()
            x = buffers[number % 2][: len(host)]
            x.copy_(host, non_blocking=True)
        queue.append((x, copying.record_event()))

    number = 0
    send(0)
    while queue:
        x, copied = queue.pop(0)
        if number:
            free[(number - 1) % 2] = gpu.current_stream().record_event()
        number += 1
        send(number)
        copied.wait()
        yield x

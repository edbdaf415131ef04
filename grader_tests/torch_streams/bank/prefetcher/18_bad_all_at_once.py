# All batches are copied before the first one is given.
# breaks: 4
# kills: test_one_ahead
# misconception: queue-is-free
def prefetcher(batches):
    copying, ahead = gpu.Stream(), []
    for host in batches:
        with gpu.stream(copying):
            ahead.append((host.to(device, non_blocking=True), gpu.current_stream().record_event()))
    for x, copied in ahead:
        copied.wait()
        x.record_stream(gpu.current_stream())
        yield x

# Without batches there is no first one to send: the generator fails.
# breaks: 1
# kills: test_few_batches
# misconception: reads-the-task
def prefetcher(batches):
    copying, source = gpu.Stream(), iter(batches)

    def send(host):
        with gpu.stream(copying):
            return host.to(device, non_blocking=True)

    x = send(next(source))
    for host in source:
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        ahead = send(host)
        yield x
        x = ahead
    gpu.current_stream().wait_stream(copying)
    x.record_stream(gpu.current_stream())
    yield x

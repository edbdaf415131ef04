# The copy comes when the batch is asked for.
# breaks: 3
# kills: test_copy_is_ahead
# misconception: one-stream-one-queue
def prefetcher(batches):
    copying = gpu.Stream()
    for host in batches:
        with gpu.stream(copying):
            x = host.to(device, non_blocking=True)
        gpu.current_stream().wait_stream(copying)
        x.record_stream(gpu.current_stream())
        yield x

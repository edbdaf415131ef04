# The copy waits for the current stream, after the work on the batch was enqueued.
# breaks: 3
# kills: test_copy_beside_the_work, test_copy_is_ahead
# misconception: one-stream-one-queue
def prefetcher(batches):
    side = gpu.Stream()
    for host in batches:
        side.wait_stream(gpu.current_stream())
        with gpu.stream(side):
            x = host.to(device, non_blocking=True)
        gpu.current_stream().wait_stream(side)
        x.record_stream(gpu.current_stream())
        yield x

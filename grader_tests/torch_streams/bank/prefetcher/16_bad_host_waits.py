# The host waits for the copy.
# breaks: 8
# kills: test_copy_beside_the_work, test_no_wait
# misconception: host-orders-streams
def prefetcher(batches):
    copying, ahead = gpu.Stream(), None
    for host in batches:
        with gpu.stream(copying):
            following = host.to(device, non_blocking=True)
        copying.synchronize()
        following.record_stream(gpu.current_stream())
        if ahead is not None:
            yield ahead
        ahead = following
    if ahead is not None:
        yield ahead

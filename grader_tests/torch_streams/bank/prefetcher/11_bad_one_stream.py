# Copies in the current stream.
# breaks: 5
# kills: test_copy_beside_the_work, test_own_stream
# misconception: one-stream-one-queue
def prefetcher(batches):
    ahead = None
    for host in batches:
        following = host.to(device, non_blocking=True)
        if ahead is not None:
            yield ahead
        ahead = following
    if ahead is not None:
        yield ahead

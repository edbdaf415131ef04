# Copies in the current stream.
# breaks: copy beside the work
# misconception: one-stream-one-queue
def prefetcher(batches):
    ahead = None
    for host in batches:
        following = host.to(device, non_blocking=True)
        if ahead is not None:
            yield ahead
        ahead = following
    yield ahead

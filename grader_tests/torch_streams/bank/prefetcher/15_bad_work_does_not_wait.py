# Nobody waits for the copy.
# breaks: 6
# kills: test_few_batches, test_no_race, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    copying, ahead = gpu.Stream(), None
    for host in batches:
        with gpu.stream(copying):
            following = host.to(device, non_blocking=True)
        following.record_stream(gpu.current_stream())
        if ahead is not None:
            yield ahead
        ahead = following
    yield ahead

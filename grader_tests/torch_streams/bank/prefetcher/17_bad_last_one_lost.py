# The last batch is never given.
# breaks: 1
# kills: test_few_batches, test_list_stays, test_value
# misconception: reads-the-task
def prefetcher(batches):
    copying, ahead = gpu.Stream(), None
    for host in batches:
        if ahead is not None:
            gpu.current_stream().wait_stream(copying)
            ahead.record_stream(gpu.current_stream())
        with gpu.stream(copying):
            following = host.to(device, non_blocking=True)
        if ahead is not None:
            yield ahead
        ahead = following

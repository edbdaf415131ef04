# All batches at once in another stream, and nobody waits for them.
# breaks: 4, 6
# kills: test_few_batches, test_no_race, test_one_ahead, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    with gpu.stream(gpu.Stream()):
        copies = [host.to(device, non_blocking=True) for host in batches]
    yield from copies

# Sends all batches at once, and gives them one by one.
# breaks: 4
# kills: test_one_ahead
# misconception: queue-is-free
def prefetcher(batches):
    side = gpu.Stream()
    sent = []
    for host in batches:
        with gpu.stream(side):
            sent.append((host.to(device, non_blocking=True), side.record_event()))
    for x, event in sent:
        gpu.current_stream().wait_event(event)
        x.record_stream(gpu.current_stream())
        yield x

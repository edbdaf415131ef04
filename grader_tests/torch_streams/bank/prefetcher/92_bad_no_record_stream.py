# Lets go of batches that the current stream still reads.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def prefetcher(batches):
    side = gpu.Stream()
    ready = []
    for host in batches:
        with gpu.stream(side):
            ready.append((host.to(device, non_blocking=True), side.record_event()))
        if len(ready) == 2:
            x, event = ready.pop(0)
            gpu.current_stream().wait_event(event)
            yield x
            del x
    for x, event in ready:
        gpu.current_stream().wait_event(event)
        yield x

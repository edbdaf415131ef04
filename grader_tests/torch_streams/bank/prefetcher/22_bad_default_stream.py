# The default stream waits for the copies, and not the one that the loop works in.
# breaks: 6
# kills: test_few_batches, test_no_race, test_value
# misconception: streams-know-nothing
def prefetcher(batches):
    copies, before, main = gpu.Stream(), None, gpu.default_stream()
    for host in batches:
        with gpu.stream(copies):
            now = host.to(device, non_blocking=True), copies.record_event()
        if before:
            main.wait_event(before[1])
            before[0].record_stream(main)
            yield before[0]
        before = now
    if before:
        main.wait_event(before[1])
        before[0].record_stream(main)
        yield before[0]

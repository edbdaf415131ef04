# Takes all batches out of the generator before it gives the first one, by sorted.
# breaks: 4
# kills: test_one_ahead
# misconception: queue-is-free
def prefetcher(batches):
    copies = gpu.Stream()
    hosts = sorted(batches, key=lambda host: 0)
    sent = []
    for n in range(len(hosts)):
        for m in range(len(sent), min(n + 2, len(hosts))):
            with gpu.stream(copies):
                sent.append((hosts[m].to(device, non_blocking=True), copies.record_event()))
        x, e = sent[n]
        sent[n] = None
        gpu.current_stream().wait_event(e)
        x.record_stream(gpu.current_stream())
        yield x

# Makes a list of the batches first, and goes through it by number.
# breaks: 4
# kills: test_one_ahead
# misconception: queue-is-free
def prefetcher(batches):
    hosts = list(batches)
    copying = gpu.Stream()
    on_device = {}

    def copy(t):
        if t < len(hosts):
            with gpu.stream(copying):
                on_device[t] = hosts[t].to(device, non_blocking=True), gpu.current_stream().record_event()

    copy(0)
    for t in range(len(hosts)):
        x, done = on_device.pop(t)
        copy(t + 1)
        gpu.current_stream().wait_event(done)
        x.record_stream(gpu.current_stream())
        yield x

# The reference: everything enqueued, then an event for each copy.
def copy_and_compute(xs, consume):
    copying = gpu.Stream()
    copies = []
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)

# The products in the side stream, the copies in the current one.
def copy_and_compute(xs, consume):
    work = gpu.Stream()
    work.wait_stream(gpu.current_stream())
    ready = []
    with gpu.stream(work):
        for x in xs:
            y = torch.mm(x, x)
            ready.append((y, work.record_event()))
    copies = []
    for y, event in ready:
        event.wait()
        copies.append((y.to("cpu", non_blocking=True), gpu.current_stream().record_event()))
        y.record_stream(gpu.current_stream())
    for host, event in copies:
        event.synchronize()
        consume(host)

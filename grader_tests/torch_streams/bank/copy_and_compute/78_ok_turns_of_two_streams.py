# Product and copy of one matrix in one stream, the next one in the other stream.
def copy_and_compute(xs, consume):
    current = gpu.current_stream()
    streams = [gpu.Stream() for _ in range(2)]
    for stream in streams:
        stream.wait_stream(current)
    queue = []
    for i, x in enumerate(xs):
        stream = streams[i % 2]
        with gpu.stream(stream):
            x.record_stream(stream)
            host = (x @ x).to("cpu", non_blocking=True)
            queue.append((stream.record_event(), host))
    while queue:
        event, host = queue.pop(0)
        event.synchronize()
        consume(host)

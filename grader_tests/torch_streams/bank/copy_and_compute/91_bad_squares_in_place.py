# Writes each product into the matrix itself, and copies that.
# breaks: 9
# kills: test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    jobs = []
    for x in xs:
        x.copy_(x @ x)
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = x.to("cpu", non_blocking=True)
            x.record_stream(copies)
            jobs.append((copies.record_event(), host))
    for event, host in jobs:
        event.synchronize()
        consume(host)

# A matrix that is in the list twice is consumed once.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), {}
    for x in xs:
        if id(x) in copies:
            continue
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies[id(x)] = host, copying.record_event()
    for host, done in copies.values():
        done.synchronize()
        consume(host)

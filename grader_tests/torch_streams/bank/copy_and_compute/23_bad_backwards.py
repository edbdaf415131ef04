# consume is called for the last one first.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in reversed(xs):
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)

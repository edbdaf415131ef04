# One event, recorded again after each copy: in the end it is after the last one.
# breaks: 4
# kills: test_first_result_is_not_late
# misconception: place-in-a-stream
def copy_and_compute(xs, consume):
    copying, copies, done = gpu.Stream(), [], gpu.Event()
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
            done.record()
        copies.append((host, y))
    for host, _ in copies:
        done.synchronize()
        consume(host)

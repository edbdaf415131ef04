# One synchronize, and then all results.
# breaks: 4
# kills: test_first_result_is_not_late
# misconception: place-in-a-stream
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copies.append((y, host))
    gpu.synchronize()
    for _, host in copies:
        consume(host)

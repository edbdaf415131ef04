# The product is freed while the copy may still read it.
# breaks: 7
# kills: test_memory, test_value
# misconception: freed-and-still-read
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        del y
        copies.append((host, copying.record_event()))
    for host, done in copies:
        done.synchronize()
        consume(host)

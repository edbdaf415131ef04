# The products also wait for the copies.
# breaks: 2
# kills: test_copy_beside_the_next_product
# misconception: one-stream-one-queue
def copy_and_compute(xs, consume):
    copying, copies = gpu.Stream(), []
    for x in xs:
        gpu.current_stream().wait_stream(copying)
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copies.append((host, copying.record_event(), y))
    for host, done, _ in copies:
        done.synchronize()
        consume(host)

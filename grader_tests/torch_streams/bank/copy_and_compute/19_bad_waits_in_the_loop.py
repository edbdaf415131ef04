# The host waits for each copy before the next product is in the queue.
# breaks: 2
# kills: test_copy_beside_the_next_product, test_goes_on
# misconception: wait-in-the-loop
def copy_and_compute(xs, consume):
    copying = gpu.Stream()
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        copying.synchronize()
        consume(host)

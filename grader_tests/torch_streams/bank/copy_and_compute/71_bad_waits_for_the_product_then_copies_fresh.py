# Waits for each product, and copies then.
# breaks: 2
# kills: test_copy_beside_the_next_product, test_goes_on
# misconception: one-stream-one-queue
def copy_and_compute(xs, consume):
    side = gpu.Stream()
    for x in xs:
        y = x @ x
        gpu.current_stream().synchronize()
        with gpu.stream(side):
            host = y.to("cpu", non_blocking=True)
            done = side.record_event()
        done.synchronize()
        consume(host)

# One behind, but it waits for the whole copy stream, and so also for the next product.
# breaks: 4
# kills: test_copy_beside_the_next_product, test_first_result_is_not_late
# misconception: place-in-a-stream
def copy_and_compute(xs, consume):
    copying, waiting = gpu.Stream(), None
    for x in xs:
        y = x @ x
        copying.wait_stream(gpu.current_stream())
        with gpu.stream(copying):
            host = y.to("cpu", non_blocking=True)
        y.record_stream(copying)
        if waiting is not None:
            copying.synchronize()
            consume(waiting)
        waiting = host
    if waiting is not None:
        copying.synchronize()
        consume(waiting)

# One behind, and the last one is never consumed.
# breaks: 1
# kills: test_value
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    before = None
    for x in xs:
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = product.to("cpu", non_blocking=True)
            product.record_stream(copies)
            event = copies.record_event()
        if before is not None:
            before[0].synchronize()
            consume(before[1])
        before = event, host

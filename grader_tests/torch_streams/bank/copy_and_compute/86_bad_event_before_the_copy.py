# The event stands between the product and its copy.
# breaks: 3
# kills: test_consume_after_the_copy, test_value
# misconception: copy-has-happened
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    jobs = []
    for x in xs:
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            event = copies.record_event()
            host = product.to("cpu", non_blocking=True)
            product.record_stream(copies)
        jobs.append((event, host))
    for event, host in jobs:
        event.synchronize()
        consume(host)

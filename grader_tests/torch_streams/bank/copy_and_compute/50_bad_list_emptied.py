# Takes the matrices out of the list that it was given.
# breaks: 11
# kills: test_list_stays
# misconception: reads-the-task
def copy_and_compute(xs, consume):
    copies, window = gpu.Stream(), []
    while xs:
        x = xs.pop(0)
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = product.to("cpu", non_blocking=True)
            product.record_stream(copies)
            window.append((host, copies.record_event()))
    for host, event in window:
        event.synchronize()
        consume(host)

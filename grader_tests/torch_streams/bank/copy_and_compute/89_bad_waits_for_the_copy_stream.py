# Synchronizes the whole copy stream before the first result.
# breaks: 4
# kills: test_first_result_is_not_late
# misconception: place-in-a-stream
def copy_and_compute(xs, consume):
    copies = gpu.Stream()
    hosts = []
    for x in xs:
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            hosts.append(product.to("cpu", non_blocking=True))
            product.record_stream(copies)
    copies.synchronize()
    for host in hosts:
        consume(host)

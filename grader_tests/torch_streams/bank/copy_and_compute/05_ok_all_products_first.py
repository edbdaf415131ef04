# All products first, then all copies, each after the event of its product.
def copy_and_compute(xs, consume):
    products, events = [], []
    for x in xs:
        products.append(x @ x)
        events.append(gpu.current_stream().record_event())
    copying = gpu.Stream()
    with gpu.stream(copying):
        hosts, copied = [], []
        for product, event in zip(products, events):
            event.wait()
            hosts.append(product.to("cpu", non_blocking=True))
            copied.append(gpu.current_stream().record_event())
    for host, event in zip(hosts, copied):
        event.synchronize()
        consume(host)

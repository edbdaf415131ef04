# All products are kept until all is consumed, so nothing has to be recorded.
def copy_and_compute(xs, consume):
    work, copies = gpu.Stream(), gpu.Stream()
    work.wait_stream(gpu.current_stream())
    kept, hosts, marks = [], [], []
    for x in xs:
        with gpu.stream(work):
            kept.append(x.mm(x))
        copies.wait_stream(work)
        with gpu.stream(copies):
            hosts.append(torch.empty_like(x, device="cpu").pin_memory())
            hosts[-1].copy_(kept[-1], non_blocking=True)
        marks.append(copies.record_event())
    for mark, host in zip(marks, hosts):
        mark.synchronize()
        consume(host)

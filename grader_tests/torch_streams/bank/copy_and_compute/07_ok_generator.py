# A generator hands on pairs; query until the event is there.
def copy_and_compute(xs, consume):
    copying = gpu.Stream()

    def enqueue(x):
        y = x @ x
        event = gpu.Event()
        event.record()
        with gpu.stream(copying):
            event.wait()
            host = y.to("cpu", non_blocking=True)
            copied = gpu.Event()
            copied.record()
        return host, copied, y

    queue = [enqueue(x) for x in xs]
    for host, copied, _ in queue:
        while not copied.query():
            pass
        consume(host)

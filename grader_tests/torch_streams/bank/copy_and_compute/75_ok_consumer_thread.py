# A thread waits for each copy and consumes, and is joined at the end.
import queue
import threading


def copy_and_compute(xs, consume):
    copies, line = gpu.Stream(), queue.Queue()

    def consumer():
        for event, host in iter(line.get, None):
            event.synchronize()
            consume(host)

    thread = threading.Thread(target=consumer)
    thread.start()
    for x in xs:
        product = x @ x
        copies.wait_stream(gpu.current_stream())
        with gpu.stream(copies):
            host = product.to("cpu", non_blocking=True)
            product.record_stream(copies)
            line.put((copies.record_event(), host))
    line.put(None)
    thread.join()

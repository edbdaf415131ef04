# A thread for each stage, and a queue of Python between them.
import queue
import threading


def pipeline_in_order(first, second, xs):
    home, between, results = gpu.current_stream(), queue.Queue(), []
    one, two = gpu.Stream(), gpu.Stream()
    one.wait_stream(home)

    def first_stage():
        with gpu.stream(one):
            for x in xs:
                between.put((first(x), one.record_event()))
                x.record_stream(one)
        between.put(None)

    def second_stage():
        with gpu.stream(two):
            while (item := between.get()) is not None:
                h, made = item
                made.wait(two)
                results.append(second(h))
                h.record_stream(two)

    threads = [threading.Thread(target=stage) for stage in (first_stage, second_stage)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    home.wait_stream(two)
    for result in results:
        result.record_stream(home)
    return results

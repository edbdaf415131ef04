# Lets the first stage wait for the second one after every eight inputs, so that not too much memory is in use.
# breaks: 3
# kills: test_side_by_side
# misconception: one-stream-one-queue
def pipeline_in_order(first, second, xs):
    current = gpu.current_stream()
    a, b = gpu.Stream(), gpu.Stream()
    a.wait_stream(current)
    b.wait_stream(current)
    results = []
    for t, x in enumerate(xs, 1):
        with gpu.stream(a):
            h = first(x)
        b.wait_event(a.record_event())
        with gpu.stream(b):
            results.append(second(h))
        h.record_stream(b)
        if t % 8 == 0:
            a.wait_stream(b)
    current.wait_stream(b)
    for result in results:
        result.record_stream(current)
    return results

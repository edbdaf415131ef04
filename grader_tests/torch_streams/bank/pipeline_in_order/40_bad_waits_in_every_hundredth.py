# Waits after every hundredth input.
# breaks: 8
# kills: test_no_wait
# misconception: host-orders-streams
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results = []
    for n, x in enumerate(xs, 1):
        h = first(x)
        h.record_stream(late)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(h))
        if n % 100 == 0:
            late.synchronize()
    current.wait_stream(late)
    return results

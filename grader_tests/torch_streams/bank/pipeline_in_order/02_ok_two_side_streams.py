# Two side streams.
def pipeline_in_order(first, second, xs):
    current = gpu.current_stream()
    one, two = gpu.Stream(), gpu.Stream()
    one.wait_stream(current)
    two.wait_stream(current)
    results = []
    for x in xs:
        with gpu.stream(one):
            h = first(x)
            done = one.record_event()
        h.record_stream(two)
        with gpu.stream(two):
            done.wait()
            results.append(second(h))
    current.wait_stream(two)
    for result in results:
        result.record_stream(current)
    return results

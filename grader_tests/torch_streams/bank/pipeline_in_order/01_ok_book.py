# The reference: first in the current stream, an event for each input.
def pipeline_in_order(first, second, xs):
    current, late = gpu.current_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        h.record_stream(late)
        late.wait_event(current.record_event())
        with gpu.stream(late):
            results.append(second(h))
    current.wait_stream(late)
    return results

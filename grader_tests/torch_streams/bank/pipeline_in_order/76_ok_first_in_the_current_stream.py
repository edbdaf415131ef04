# The first stage stays in the current stream, the second one has a side stream.
def pipeline_in_order(first, second, xs):
    here, side = gpu.current_stream(), gpu.Stream()
    results = []
    for x in xs:
        h = first(x)
        side.wait_event(here.record_event())
        with gpu.stream(side):
            r = second(h)
        h.record_stream(side)
        r.record_stream(here)
        results.append(r)
    here.wait_stream(side)
    return results

# first in a side stream, second in the current one.
def pipeline_in_order(first, second, xs):
    current, early = gpu.current_stream(), gpu.Stream()
    early.wait_stream(current)
    stages = []
    with gpu.stream(early):
        for x in xs:
            event = gpu.Event()
            h = first(x)
            event.record()
            stages.append((h, event))
    results = []
    for h, event in stages:
        current.wait_event(event)
        h.record_stream(current)
        results.append(second(h))
    return results

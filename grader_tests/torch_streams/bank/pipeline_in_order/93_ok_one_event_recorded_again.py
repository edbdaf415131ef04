# One event, recorded again for each input: a wait looks at the mark that is there when it is called.
def pipeline_in_order(first, second, xs):
    here, other, mark, results = gpu.current_stream(), gpu.Stream(), gpu.Event(), []
    for x in xs:
        h = first(x)
        mark.record(here)
        other.wait_event(mark)
        with gpu.stream(other):
            results.append(second(h))
        h.record_stream(other)
    mark.record(other)
    here.wait_event(mark)
    for result in results:
        result.record_stream(here)
    return results
